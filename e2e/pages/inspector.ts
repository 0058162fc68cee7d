import { mountSignettInspector } from "signett/inspector";
import { createShop } from "./inspector-shop.js";

const { signett, exposed } = createShop();
await exposed;
const open = () => mountSignettInspector(signett);

declare global {
  interface Window {
    inspector: { open: typeof open; mounted: ReturnType<typeof open> };
  }
}
window.inspector = { open, mounted: open() };
document.documentElement.dataset.ready = "true";
