import { vi } from "vitest";
import type { Platform } from "../../../client/platform.js";
import { systemClock } from "../../../src/clock.js";
import type { TestLockClient } from "../../../src/testing/locks.js";
import type { TestPort } from "./port.js";
import type { TestWorker } from "./worker.js";

/** What a page finds around it. */
interface PageBrowser {
  /** Starts the worker of this name or joins the one that runs; gives the page's end of the line. */
  readonly join: (name: string) => TestPort;
  readonly startInPage: (instance: string) => { port: TestPort; worker: TestWorker };
}

/** What one tab's scripts find in the browser, and all that can happen to them. */
export class TestPage {
  readonly #locks: TestLockClient;
  readonly #browser: PageBrowser;
  readonly #events = new EventTarget();
  readonly #ports: TestPort[] = [];
  readonly #coordinators = new Set<TestWorker>();
  /** What the browser tells of its storage. */
  storage: StorageManager | undefined;
  #shown: Promise<void> = Promise.resolve();
  #show = () => {};
  #cached = false;
  /** Messages of the worker that came while the page was in the cache: each would evict it. */
  heardInCache = 0;
  #crashed = false;

  constructor(locks: TestLockClient, browser: PageBrowser) {
    this.#locks = locks;
    this.#browser = browser;
  }

  get cached(): boolean {
    return this.#cached;
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  /** The page's name among those who hold locks. */
  get clientId(): string {
    return this.#locks.clientId;
  }

  /** What an application passes as `worker`. */
  readonly worker = (name = "first"): SharedWorker => {
    const port = this.#browser.join(name);
    if (this.#crashed) port.sever();
    this.#ports.push(port);
    port.addEventListener("message", () => {
      if (this.#cached) this.heardInCache += 1;
    });
    return new TestSharedWorker(port);
  };

  /** What the client finds in this page. */
  platform(): Platform {
    return {
      locks: new PageLocks(this.#locks, () => this.#shown),
      storage: this.storage,
      indexedDB: true,
      sharedWorker: true,
      clock: systemClock,
      newId: () => crypto.randomUUID(),
      channel: undefined,
      events: this.#events,
      startInPage: (instance) => this.startInPage(instance),
    };
  }

  /** Runs what reads the page's globals. */
  run<T>(script: () => T): T {
    const listen: EventTarget["addEventListener"] = (...args) =>
      this.#events.addEventListener(...args);
    vi.stubGlobal("navigator", {
      locks: new PageLocks(this.#locks, () => this.#shown),
      storage: this.storage,
    });
    vi.stubGlobal("SharedWorker", TestSharedWorker);
    vi.stubGlobal("addEventListener", listen);
    try {
      return script();
    } finally {
      vi.unstubAllGlobals();
    }
  }

  /** Goes to the back/forward cache, and is told. Its scripts go on for a while, as far as the test lets them. */
  enterCache(): void {
    this.standStill();
    this.#events.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));
  }

  /** Stops without a word: what happens to its locks is told when it is shown again. */
  standStill(): void {
    if (this.#cached) return;
    this.#cached = true;
    this.#shown = new Promise((resolve) => {
      this.#show = resolve;
    });
  }

  /** Is told that it goes for good. */
  hide(): void {
    this.#events.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: false }));
  }

  /** Is shown again, with `persisted`. */
  leaveCache(): void {
    this.#cached = false;
    this.#events.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    this.#show();
  }

  /** Starts a coordinator in this page. */
  startInPage = async (instance: string) => {
    const { port, worker } = this.#browser.startInPage(instance);
    if (this.#crashed) port.sever();
    this.#ports.push(port);
    this.#coordinators.add(worker);
    const close = () => {
      this.#coordinators.delete(worker);
      worker.close();
    };
    return { port, close };
  };

  /** Ends without a word. Its scripts are not stopped: what they still do reaches nobody. */
  crash(): void {
    this.#crashed = true;
    this.#cached = false;
    for (const port of this.#ports) port.sever();
    for (const coordinator of this.#coordinators) coordinator.kill();
    this.#locks.crash();
  }
}

class TestSharedWorker extends EventTarget implements SharedWorker {
  readonly onerror = null;
  readonly port: TestPort;

  constructor(port: TestPort) {
    super();
    this.port = port;
  }
}

/** The locks, as a page sees them that learns of nothing while it is cached. */
class PageLocks implements LockManager {
  readonly #locks: LockManager;
  readonly #shown: () => Promise<void>;

  constructor(locks: LockManager, shown: () => Promise<void>) {
    this.#locks = locks;
    this.#shown = shown;
  }

  request<T>(name: string, callback: LockGrantedCallback<T>): Promise<Awaited<T>>;
  request<T>(
    name: string,
    options: LockOptions,
    callback: LockGrantedCallback<T>,
  ): Promise<Awaited<T>>;
  async request<T>(
    name: string,
    ...rest: [LockGrantedCallback<T>] | [LockOptions, LockGrantedCallback<T>]
  ): Promise<Awaited<T>> {
    const [options, callback] = rest.length === 2 ? rest : [{}, rest[0]];
    try {
      return await this.#locks.request(name, options, callback);
    } catch (error) {
      await this.#shown();
      throw error;
    }
  }

  query(): Promise<LockManagerSnapshot> {
    return this.#locks.query();
  }
}
