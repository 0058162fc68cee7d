/**
 * The SharedWorker script: it owns the profile's idempotency store, its journal and the coordination of equal keys.
 *
 * @module
 */
import { systemClock } from "../src/clock.js";
import { indexedDbDatabase } from "../stores/database.js";
import { Refused } from "./checks.js";
import { Host } from "./host.js";

/** New in every run of this script. Safari can run it again on the same ports, with all memory lost. */
const instance = crypto.randomUUID();

function refuseOwnUrl(): void {
  if (!/^(blob|data):/.test(location.protocol)) return;
  throw new Refused(
    `its script has a ${location.protocol} URL, of which every tab has its own, so tabs would not share it. ` +
      "Serve the script of signett/worker from a URL.",
  );
}

/** Tabs take this lock's release as the proof that the worker is gone. Resolves when it is held. */
function holdForEver(name: string): Promise<void> {
  return new Promise((held, failed) => {
    navigator.locks
      .request(name, () => {
        held();
        return new Promise(() => {});
      })
      .catch(failed);
  });
}

function serve(): void {
  const host = new Host({
    instance,
    locks: navigator.locks,
    clock: systemClock,
    remembers: true,
    openDatabase: (name, lost) => indexedDbDatabase(name, systemClock, lost),
    openChannel: (name) => new BroadcastChannel(name),
    async prepare(names) {
      refuseOwnUrl();
      await holdForEver(names.instance(instance));
    },
  });
  // Ports are attached in the event itself: nothing that the first tab sends may be lost.
  addEventListener("connect", (event) => {
    const [port] = (event as MessageEvent).ports;
    if (port) host.attach(port);
  });
}

// A server can import this script: it does nothing there.
if ("SharedWorkerGlobalScope" in globalThis) serve();
