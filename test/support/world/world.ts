import { createTestLockManager, type TestLockClient } from "../../../src/testing/locks.js";
import type { OperationRecord } from "../../../stores/records.js";
import { namesOf } from "../../../worker/names.js";
import { TestChannels } from "../channel.js";
import { hold } from "../locks.js";
import { Authority } from "./authority.js";
import { TestPage } from "./page.js";
import { TestPort } from "./port.js";
import { TestStorage } from "./storage.js";
import { TestTab } from "./tab.js";
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
  #worker: TestWorker | undefined;
  #members = 0;

  /** @param delay How many tasks a message takes. */
  constructor(delay: () => number = () => 1) {
    this.#delay = delay;
  }

  /** A page with the client in it. */
  tab(): TestTab {
    return new TestTab(this.page(), NAMESPACE);
  }

  /** A page whose worker can't start: it coordinates itself. */
  localTab(): TestTab {
    return new TestTab(this.page(), NAMESPACE, () => {
      throw new Error("its script is blocked");
    });
  }

  /** A page without anything in it. */
  page(): TestPage {
    const locks = this.#locks.client(`tab ${++this.#members}`);
    return new TestPage(locks, {
      join: () => this.#join(),
      startInPage: (instance) => this.#startInPage(locks, instance),
    });
  }

  /** The worker ends without a word; the next who connects starts another. */
  killWorker(): void {
    this.#worker?.kill();
    this.#worker = undefined;
  }

  /** Safari runs a worker's script again, on the same ports, with all memory lost. */
  rerunWorker(): void {
    const ends = this.#worker?.kill() ?? [];
    this.#worker = this.#startWorker();
    for (const end of ends) this.#attach(this.#worker, end);
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

  /** How many coordinators listen to each other. */
  get openChannels(): number {
    return this.#channels.count;
  }

  /** The durable record, read past all workers. */
  record(key: string): Promise<OperationRecord | undefined> {
    return this.storage.record(key);
  }

  #join(): TestPort {
    this.#worker ??= this.#startWorker();
    const end = new TestPort(this.#delay);
    this.#attach(this.#worker, end);
    return end;
  }

  #attach(worker: TestWorker, end: TestPort): void {
    const port = new TestPort(this.#delay);
    TestPort.link(end, port);
    worker.attach(port);
  }

  #startWorker(): TestWorker {
    const locks = this.#locks.client(`worker ${++this.#members}`);
    return new TestWorker({
      locks,
      channel: this.#channels.open(),
      storage: this.storage,
      prepare: async (lock) => void (await hold(locks, lock)),
    });
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
