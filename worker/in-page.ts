import type { Clock } from "../src/clock.js";
import { indexedDbDatabase } from "../stores/database.js";
import { Host } from "./host.js";

/** What the coordinator of a single page is given by that page's client. */
export interface InPageOptions {
  readonly instance: string;
  readonly locks: LockManager;
  readonly clock: Clock;
}

/** A coordinator in this page, for where there is no worker. */
export interface InPage {
  /** Leads to it, as a worker's port does. */
  readonly port: MessagePort;
  close(): void;
}

/**
 * Starts a coordinator in this page: the worker's own session and coordinator over a pair of ports. It takes no lock that
 * marks it alive, because it ends with the page that asks it.
 */
export function startInPage({ instance, locks, clock }: InPageOptions): InPage {
  const { port1, port2 } = new MessageChannel();
  const host = new Host({
    instance,
    locks,
    clock,
    remembers: false,
    openDatabase: (name) => indexedDbDatabase(name, clock),
    openChannel: (name) => new BroadcastChannel(name),
    prepare: async () => {},
  });
  host.attach(port2);
  const close = () => {
    host.close();
    port2.close();
  };
  return { port: port1, close };
}
