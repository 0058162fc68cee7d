declare module "virtual:sample/cancel-order";

declare module "virtual:sample/encrypted-profile" {
  export const profile: import("signett/client").TabProfile;
}
