import { connectProfile } from "signett/client";
import { mountSignettInspector } from "signett/inspector";
import { interpretedValidator } from "signett/validation";
import { createShop } from "./inspector-shop.js";

declare global {
  interface Window {
    /** What the page's policy refused. */
    violations: string[];
  }
}

window.violations = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, sourceFile }) =>
  window.violations.push(`${violatedDirective} ${sourceFile}`),
);

const profile = connectProfile();
const { signett, exposed } = createShop({ profile, validator: interpretedValidator });
await exposed;
let mounted: ReturnType<typeof mountSignettInspector> | undefined;
Object.assign(window, {
  inspector: {
    open() {
      mounted = mountSignettInspector(signett);
    },
    remove: () => mounted?.dispose(),
  },
});
document.documentElement.dataset.ready = "true";
