import { createSignett } from "signett";
import { mountSignettInspector } from "signett/inspector";

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

const signett = createSignett();
let mounted: ReturnType<typeof mountSignettInspector> | undefined;
Object.assign(window, {
  inspector: {
    open() {
      mounted = mountSignettInspector(signett);
    },
    remove() {
      mounted?.dispose();
      mounted = undefined;
    },
  },
});
document.documentElement.dataset.ready = "true";
