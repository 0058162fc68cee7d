import { type Clock, systemClock } from "../src/clock.js";

/** A coordinator in this page. */
interface InPage {
  readonly port: MessagePort;
  close(): void;
}

/** What a tab's client finds in its browser. */
export interface Platform {
  /** Absent in a browser without Web Locks. */
  readonly locks: LockManager | undefined;
  readonly indexedDB: boolean;
  /** Without it this page coordinates itself. */
  readonly sharedWorker: boolean;
  readonly clock: Clock;
  /** An id that nobody else has. */
  readonly newId: () => string;
  /** Opens a channel to the other tabs. Absent outside pages, where an open channel would keep the process alive. */
  readonly channel: ((name: string) => BroadcastChannel) | undefined;
  /** What the browser tells of its storage. */
  readonly storage?: StorageManager | undefined;
  /** Where `pageshow` and `pagehide` are heard. Absent outside pages. */
  readonly events: EventTarget | undefined;
  /** Starts a coordinator in this page, with this id. Rejects if its code can't be loaded. */
  readonly startInPage: (instance: string) => Promise<InPage>;
}

/** This page's browser, as it is now. */
export function browserPlatform(): Platform {
  const { navigator, addEventListener, BroadcastChannel } = globalThis as Partial<
    typeof globalThis
  >;
  return {
    locks: navigator?.locks,
    storage: navigator?.storage,
    indexedDB: "indexedDB" in globalThis,
    sharedWorker: "SharedWorker" in globalThis,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    channel: addEventListener && BroadcastChannel && ((name) => new BroadcastChannel(name)),
    events: addEventListener ? globalThis : undefined,
    async startInPage(instance) {
      // Loaded where it is needed only: most pages have a worker.
      const { startInPage } = await import("../worker/in-page.js");
      return startInPage({ instance, locks: globalThis.navigator.locks, clock: systemClock });
    },
  };
}
