/**
 * The SharedWorker script: it owns the profile's idempotency store, its journal and the coordination of equal keys.
 *
 * @module
 */
import * as Comlink from "comlink";
import { systemClock } from "../src/clock.js";
import { indexedDbDatabase } from "../stores/database.js";
import { Operations } from "../stores/operations.js";
import { Refused } from "./checks.js";
import { Coordinator } from "./coordinator.js";
import { guarded } from "./endpoint.js";
import { namesOf } from "./names.js";
import { createSession } from "./session.js";

/** New in every run of this script. Safari can run it again on the same ports, with all memory lost. */
const instance = crypto.randomUUID();
const coordinators = new Map<string, Promise<Coordinator>>();

function coordinate(namespace: string): Promise<Coordinator> {
  let coordinator = coordinators.get(namespace);
  if (!coordinator) {
    coordinator = createCoordinator(namespace);
    coordinators.set(namespace, coordinator);
    coordinator.catch(() => coordinators.delete(namespace));
  }
  return coordinator;
}

async function createCoordinator(namespace: string): Promise<Coordinator> {
  if (/^(blob|data):/.test(location.protocol)) {
    throw new Refused(
      `its script has a ${location.protocol} URL, of which every tab has its own, so tabs would not share it. ` +
        "Serve the script of signett/worker from a URL.",
    );
  }
  const names = namesOf(namespace);
  await holdForEver(names.instance(instance));
  return new Coordinator({
    operations: new Operations(indexedDbDatabase(names.database)),
    names,
    locks: navigator.locks,
    channel: new BroadcastChannel(names.channel),
    clock: systemClock,
  });
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

// Ports are attached in the event itself: nothing that the first tab sends may be lost.
addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const session = createSession({ instance, coordinate });
  Comlink.expose(session, guarded(port, Object.keys(session)));
});
