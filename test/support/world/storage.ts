import { type Database, indexedDbDatabase } from "../../../stores/database.js";
import type { OperationRecord } from "../../../stores/records.js";
import type { AllRows } from "../../../stores/rows.js";
import { emptyStorage } from "../../unit/stores/indexeddb.js";

/** What a transaction has done: a record's new state, a key that became free, a journal entry. */
type Write = OperationRecord["state"] | "free" | "entry";

/** The profile's database, which all workers share and which can fail. */
export class TestStorage {
  /** Which transactions find the disk full. */
  refuses: (writes: readonly Write[]) => boolean = () => false;
  /** Told after each commit, before whoever asked for it learns of it. */
  committed: (writes: readonly Write[]) => void = () => {};
  /** How many transactions have begun. */
  transactions = 0;
  readonly #name: string;
  readonly #open = new Set<Database>();
  #paused: Promise<void> | undefined;

  constructor(name: string) {
    emptyStorage();
    this.#name = name;
  }

  /** One worker's way to it. When the worker dies its open transaction is undone, and nothing reports to it any more. */
  database(isAlive: () => boolean): Database {
    const database = indexedDbDatabase(this.#name);
    const transact: Database["transact"] = async (durability, work) => {
      this.transactions += 1;
      this.#open.add(database);
      await this.#paused;
      const writes: Write[] = [];
      try {
        const value = await database.transact(durability, async (rows) => {
          const value = await work(noting(rows, writes));
          if (!isAlive()) throw new DOMException("The worker is gone.", "AbortError");
          if (this.refuses(writes))
            throw new DOMException("The disk is full.", "QuotaExceededError");
          return value;
        });
        this.committed(writes);
        return value;
      } finally {
        if (!isAlive()) await new Promise<never>(() => {});
      }
    };
    const close = () => {
      this.#open.delete(database);
      database.close();
    };
    return { transact, close };
  }

  /** How many coordinators have it open. */
  get open(): number {
    return this.#open.size;
  }

  /** No transaction begins until the returned function is called. */
  pause(): () => void {
    let resume = () => {};
    this.#paused = new Promise((resolve) => {
      resume = resolve;
    });
    return resume;
  }

  /** All that is stored for a key, read past all workers. */
  everything(key: string): Promise<{ readonly record: unknown; readonly entry: unknown }> {
    return indexedDbDatabase(this.#name).transact("relaxed", async (rows) => {
      const [record, entry] = await Promise.all([rows.record(key), rows.entry(key)]);
      return { record, entry };
    });
  }

  /** The durable record, read past all workers. */
  record(key: string): Promise<OperationRecord | undefined> {
    return indexedDbDatabase(this.#name).transact("relaxed", (rows) => rows.record(key));
  }
}

const noting = (rows: AllRows, writes: Write[]): AllRows => ({
  ...rows,
  putRecord(record) {
    writes.push(record.state);
    return rows.putRecord(record);
  },
  deleteRecord(key) {
    writes.push("free");
    return rows.deleteRecord(key);
  },
  putEntry(key, entry) {
    writes.push("entry");
    return rows.putEntry(key, entry);
  },
});
