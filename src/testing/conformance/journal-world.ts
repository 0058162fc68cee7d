import type { IdempotencyStore, JournalOptions, OperationJournal } from "../../contracts.js";
import type { Deadline } from "./deadline.js";
import { expectSame, lacking } from "./expectations.js";
import type { Claim } from "./store-calls.js";
import { Tab } from "./store-world.js";

/** A journal as one tab sees it. */
export interface JournalTab {
  readonly journal: OperationJournal;
  /** The store that a joined journal belongs to: the checks then claim a key before they write under it. */
  readonly store?: IdempotencyStore;
}

/** Journals that share one space, as the tabs of one browser profile do. */
export interface JournalSpace<Opened extends JournalTab = JournalTab> {
  /** Opens the journal as one more tab sees it. */
  open(): Promise<Opened> | Opened;
  /** Ends a tab as a crash does. Absent: what needs a crash is skipped. */
  crash?(tab: Opened): Promise<void> | void;
  /** Ends what the space holds. */
  close?(): Promise<void> | void;
}

/** One operation in one tab, and its journal entry. */
export class Entry {
  readonly #journal: OperationJournal;
  readonly #key: string;
  readonly #options: JournalOptions;
  readonly #deadline: Deadline;

  constructor(journal: OperationJournal, key: string, options: JournalOptions, deadline: Deadline) {
    this.#journal = journal;
    this.#key = key;
    this.#options = options;
    this.#deadline = deadline;
  }

  /** What is read must equal `entry`; `undefined` is no entry. */
  async reads(entry: unknown): Promise<void> {
    const read = this.#within("read", this.#journal.read(this.#key, this.#options));
    expectSame(await read, entry, `the entry of ${JSON.stringify(this.#key)}`);
  }

  async write(entry: unknown): Promise<void> {
    await this.#within("write", this.#journal.write(this.#key, entry, this.#options));
  }

  async remove(): Promise<void> {
    await this.#within("remove", this.#journal.remove(this.#key, this.#options));
  }

  #within<T>(verb: string, work: Promise<T> | T): Promise<T> {
    return this.#deadline.within(work, `${verb}(${JSON.stringify(this.#key)})`);
  }
}

/** One tab with its operations. */
export class JournalingTab {
  readonly scope: "tab" | "profile";
  readonly #journal: OperationJournal;
  readonly #keys: Tab | undefined;
  readonly #deadline: Deadline;

  constructor({ journal, store }: JournalTab, deadline: Deadline) {
    this.scope = journal.scope ?? "tab";
    this.#journal = journal;
    this.#keys = store && new Tab("the tab", store, { deadline, notices: false });
    this.#deadline = deadline;
  }

  /** @throws {Lacking} when the journal stands alone. */
  get keys(): Tab {
    return this.#keys ?? lacking("its space opens it without a store");
  }

  /** The entry of an operation that this tab begins. */
  async operation(key: string): Promise<Entry> {
    return this.entry(key, await this.#keys?.own(key));
  }

  /** The entry of an operation, as its owner sees it or, without a claim, as anyone does. */
  entry(key: string, claim?: Claim): Entry {
    const { signal } = new AbortController();
    const { fence } = claim?.begun ?? {};
    const options = { signal, operationKey: key, ...(fence === undefined ? {} : { fence }) };
    return new Entry(this.#journal, key, options, this.#deadline);
  }

  /** Leaves no claim open. */
  async close(): Promise<void> {
    await this.#keys?.close();
  }
}

/** One space and its tabs. */
export class JournalWorld<Opened extends JournalTab = JournalTab> {
  readonly #space: JournalSpace<Opened>;
  readonly #deadline: Deadline;
  readonly #alive = new Map<JournalingTab, Opened>();

  constructor(space: JournalSpace<Opened>, deadline: Deadline) {
    this.#space = space;
    this.#deadline = deadline;
  }

  /** Opens one more tab. */
  async tab(): Promise<JournalingTab> {
    const opened = await this.#deadline.within(this.#space.open(), "opening a tab");
    const tab = new JournalingTab(opened, this.#deadline);
    this.#alive.set(tab, opened);
    return tab;
  }

  /** @throws {Lacking} when the space can't crash a tab. */
  async crash(tab: JournalingTab): Promise<void> {
    const opened = this.#alive.get(tab);
    if (!this.#space.crash || !opened) return lacking("its space has no `crash`");
    this.#alive.delete(tab);
    await this.#deadline.within(this.#space.crash(opened), "crashing a tab");
  }

  /** Leaves nothing open behind a check, however it ended. */
  async close(): Promise<void> {
    for (const tab of this.#alive.keys()) await tab.close();
    await this.#space.close?.();
  }
}
