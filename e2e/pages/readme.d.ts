declare module "virtual:readme/cancel-order";
