import { createTestLockManager, type TestLockClient } from "../../../src/testing/locks.js";
import type { OperationRecord } from "../../../stores/records.js";
import { namesOf } from "../../../worker/names.js";
import { TestChannels } from "../channel.js";
import { hold } from "../locks.js";
import { Authority } from "./authority.js";
import { TestPage } from "./page.js";
import { TestPort } from "./port.js";
import { TestStorage } from "./storage.js";
import { type TabSettings, TestTab } from "./tab.js";
import { TestWorker } from "./worker.js";

const NAMESPACE = "shop";
const names = namesOf(NAMESPACE);

/** One browser profile in memory: tabs with the real client, the real worker over IndexedDB, and all that can fail. */
export class World {
  readonly authority = new Authority();
  readonly storage = new TestStorage(names.database);
  readonly #locks = createTestLockManager();
  readonly #channels = new TestChannels();
  readonly #delay: () => number;
  readonly #pages = new Set<TestPage>();
  /** Those that run, by name. */
  readonly #workers = new Map<string, TestWorker>();
  #members = 0;

  /** @param delay How many tasks a message takes. */
  constructor(delay: () => number = () => 1) {
    this.#delay = delay;
  }

  /** A page with the client in it. */
  tab(settings: TabSettings = {}): TestTab {
    return new TestTab(this.page(), NAMESPACE, settings);
  }

  /** A page of another build of the application, whose worker has another URL: a second worker of the profile. */
  tabOfOtherBuild(settings: TabSettings = {}): TestTab {
    const page = this.page();
    const worker = (name: string) => page.worker(`${name}, build 2`);
    return new TestTab(page, NAMESPACE, { ...settings, worker });
  }

  /** A page whose worker can't start: it coordinates itself. */
  localTab(settings: TabSettings = {}): TestTab {
    const worker = () => {
      throw new Error("its script is blocked");
    };
    return new TestTab(this.page(), NAMESPACE, { ...settings, worker });
  }

  /** A page without anything in it. */
  page(): TestPage {
    const locks = this.#locks.client(`tab ${++this.#members}`);
    const page = new TestPage(locks, {
      join: (name) => this.#join(name),
      startInPage: (instance) => this.#startInPage(this.#evicting(locks), instance),
    });
    this.#pages.add(page);
    return page;
  }

  /** The workers end without a word; the next who connects starts another. */
  killWorker(): void {
    for (const worker of this.#workers.values()) worker.kill();
    this.#workers.clear();
  }

  /** Safari runs a worker's script again, on the same ports, with all memory lost. */
  rerunWorker(): void {
    for (const [name, worker] of this.#workers) {
      const ends = worker.kill();
      const again = this.#startWorker();
      this.#workers.set(name, again);
      for (const end of ends) this.#attach(again, end);
    }
  }

  /** The workers that run hear and say nothing, until they are woken: what is said to them waits. */
  wedgeWorker(): void {
    for (const worker of this.#workers.values()) worker.wedge();
  }

  wakeWorker(): void {
    for (const worker of this.#workers.values()) worker.wake();
  }

  /** The browser gives the tab's locks to others, and tells it unless it is cached. */
  async takeLocks(tab: TestTab): Promise<void> {
    for (const { name = "" } of await this.signsOfLife(tab)) {
      await this.#locks.request(name, { steal: true }, () => {});
    }
  }

  /** The locks that mark a tab alive: this tab's, or everybody's. */
  async signsOfLife(tab?: TestTab): Promise<LockInfo[]> {
    const { held = [] } = await this.#locks.query();
    return held.filter(
      ({ name, clientId }) =>
        name?.startsWith(names.client("")) && (!tab || clientId === tab.page.clientId),
    );
  }

  /** What a tab waits for. */
  async pendingLocks(tab: TestTab): Promise<LockInfo[]> {
    const { pending = [] } = await this.#locks.query();
    return pending.filter(({ clientId }) => clientId === tab.page.clientId);
  }

  /** The names of the workers that run. */
  get workers(): string[] {
    return [...this.#workers.keys()];
  }

  /** How many coordinators listen to each other. */
  get openChannels(): number {
    return this.#channels.count;
  }

  /** The durable record, read past all workers. */
  record(key: string): Promise<OperationRecord | undefined> {
    return this.storage.record(key);
  }

  #join(name: string): TestPort {
    const worker = this.#workers.get(name) ?? this.#startWorker();
    this.#workers.set(name, worker);
    const end = new TestPort(this.#delay);
    this.#attach(worker, end);
    return end;
  }

  #attach(worker: TestWorker, end: TestPort): void {
    const port = new TestPort(this.#delay);
    TestPort.link(end, port);
    worker.attach(port);
  }

  #startWorker(): TestWorker {
    const locks = this.#evicting(this.#locks.client(`worker ${++this.#members}`));
    return new TestWorker({
      locks,
      channel: this.#channels.open(),
      storage: this.storage,
      prepare: async (lock) => void (await hold(locks, lock)),
    });
  }

  /** Whoever asks for all locks makes the browser evict the cached pages that hold some. */
  #evicting(locks: TestLockClient): TestLockClient {
    const query = async () => {
      const { held = [] } = await this.#locks.query();
      for (const page of this.#pages) {
        if (page.cached && held.some(({ clientId }) => clientId === page.clientId)) page.crash();
      }
      return this.#locks.query();
    };
    return Object.assign(locks, { query });
  }

  #startInPage(locks: TestLockClient, instance: string) {
    const channel = this.#channels.open();
    const prepare = async () => {};
    const worker = new TestWorker({ instance, locks, channel, storage: this.storage, prepare });
    const port = new TestPort(this.#delay);
    this.#attach(worker, port);
    return { port, worker };
  }
}
