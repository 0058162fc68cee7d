import type { Codec } from "../../../client/codec.js";
import type { Platform } from "../../../client/platform.js";
import { ConnectedProfile } from "../../../client/profile.js";
import type { Terms } from "../../../worker/protocol.js";
import type { Surroundings, VirtualBrowser } from "./browser.js";
import type { Lane } from "./schedule.js";
import { startInPage, type VirtualWorkers } from "./worker.js";

/** Where a page is opened, and what it is. */
export interface PageOptions {
  readonly name: string;
  readonly namespace: string;
  /** The worker's script: another build of the application has another. `undefined`: this browser has no SharedWorker. */
  readonly script: string | undefined;
  /** Default: those of `connectProfile` without options. */
  readonly terms?: Terms | undefined;
  readonly codec?: Codec | undefined;
  readonly workers: VirtualWorkers;
}

/** One document with the product's client in it, from its opening to its end. */
export class VirtualPage {
  readonly surroundings: Surroundings;
  readonly profile: ConnectedProfile;
  readonly #browser: VirtualBrowser;
  readonly #workers: VirtualWorkers;
  readonly #events = new EventTarget();
  readonly #visits: Lane;
  #cached = false;

  constructor(
    browser: VirtualBrowser,
    { name, namespace, script, workers, terms, codec }: PageOptions,
  ) {
    const surroundings = browser.start(name);
    const { locks, clock, process } = surroundings;
    let ids = 0;
    const platform: Platform = {
      locks,
      clock,
      indexedDB: true,
      sharedWorker: script !== undefined,
      newId: () => `${name}.${++ids}`,
      channel: (channel) => browser.channels.open(process, channel),
      startInPage: async (instance) => startInPage(browser, surroundings, instance),
      events: this.#events,
    };
    this.#browser = browser;
    this.#workers = workers;
    this.surroundings = surroundings;
    this.#visits = browser.schedule.lane(process, `calls to ${name}`);
    this.profile = new ConnectedProfile({
      ...{ namespace, codec },
      ...(terms && { terms }),
      helloTimeoutMs: 5_000,
      worker: (worker) => workers.connect(`${script} ${worker}`, surroundings),
      platform,
    });
  }

  get alive(): boolean {
    return this.surroundings.process.state !== "dead";
  }

  /** Runs something in the page when its turn comes. */
  run(task: () => void, about?: unknown): void {
    this.#visits.push(task, about);
  }

  /** Its scripts stand still; it keeps its locks. */
  freeze(): void {
    this.surroundings.process.stop();
  }

  /** Its scripts go on, with all that has come meanwhile. */
  thaw(): void {
    if (!this.#cached) this.#goOn();
  }

  /** Goes to the back/forward cache, and loses its locks there if the browser takes them. */
  enterCache({ takesLocks }: { readonly takesLocks: boolean }): void {
    const { process } = this.surroundings;
    if (process.state !== "running") return;
    this.#transition("pagehide");
    process.stop();
    this.#cached = true;
    if (takesLocks) this.#browser.takeLocks(this.surroundings);
  }

  /** Comes back from the cache: it is told before anything else. */
  leaveCache(): void {
    if (!this.#cached) return;
    this.#cached = false;
    this.#goOn(() => this.#transition("pageshow"));
  }

  /** Ends without a word, and with it a worker that no other page has. */
  end(): void {
    this.#browser.end(this.surroundings);
    this.#workers.leave(this.surroundings);
  }

  #goOn(first?: () => void): void {
    this.surroundings.process.goOn(first);
    this.#browser.schedule.onReady();
  }

  #transition(type: "pagehide" | "pageshow"): void {
    this.#events.dispatchEvent(Object.assign(new Event(type), { persisted: true }));
  }
}
