import { outcomeOf } from "./lock-outcome.js";

// A worker is one client: what needs another one's death is tried with frames.
addEventListener("connect", async (event) => {
  const [port] = (event as MessageEvent).ports;
  port?.postMessage(await outcomeOf(() => ({ open: () => navigator.locks })));
});
