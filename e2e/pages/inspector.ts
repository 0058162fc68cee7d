import { mountSignettInspector } from "signett/inspector";
import { createShop } from "./inspector-shop.js";

/** What tests do with the page's Inspector. */
export interface InspectorLab {
  /** Mounts an Inspector, at the bottom of the window or in the element that the selector finds. */
  open(selector?: string): void;
  /** Removes the Inspector that was mounted last. */
  remove(): void;
  /** An agent in the page calls `list_orders` that often; each tenth call is refused. */
  callOften(times: number): Promise<void>;
  /** Begins a call of `hold_order`, which runs until `finish`. */
  hold(): Promise<void>;
  finish(): void;
  /** Takes `hold_order` away from agents. */
  leave(): void;
}

declare global {
  interface Window {
    inspector: InspectorLab;
  }
}

const { signett, exposed, ...agent } = createShop();
await exposed;
let mounted: ReturnType<typeof mountSignettInspector> | undefined;
window.inspector = {
  open(selector) {
    const target = selector === undefined ? null : document.querySelector(selector);
    mounted = mountSignettInspector(signett, target ? { target } : {});
  },
  remove() {
    mounted?.dispose();
    mounted = undefined;
  },
  ...agent,
};
document.documentElement.dataset.ready = "true";
