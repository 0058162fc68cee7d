import { framesOf } from "./lock-frames.js";
import { type Outcome, outcomeOf } from "./lock-outcome.js";

declare global {
  interface Window {
    /** Checks the locks of pages like this one, each in a frame. */
    readonly checkLocks: (page: string) => Promise<Outcome>;
    /** Checks the locks that a SharedWorker has. */
    readonly checkLocksInWorker: () => Promise<Outcome>;
  }
}

function inWorker(): Promise<Outcome> {
  const { port } = new SharedWorker(new URL("./locks-worker.ts", import.meta.url), {
    type: "module",
    name: "locks",
  });
  port.start();
  return new Promise((resolve) => {
    port.addEventListener("message", ({ data }) => resolve(data), { once: true });
  });
}

Object.assign(window, {
  checkLocks: (page: string) => outcomeOf(() => framesOf(page)),
  checkLocksInWorker: inWorker,
});
document.documentElement.dataset.ready = "true";
