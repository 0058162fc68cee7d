import type { OperationRecord } from "./records.js";
import type { Rows } from "./rows.js";

interface Entry {
  readonly entry: unknown;
}

/** What a job will read: the record of a key, the last fence. */
export interface Needs {
  readonly key?: string;
  readonly lastFence?: boolean;
}

/**
 * The rows as the jobs of one transaction see them: what a job writes is there for the next one at once, and goes to the
 * database when the last has ended. However many jobs there are, they wait for the database once to read and once to
 * write; between, they wait for nothing but each other, so that the transaction stays open.
 */
export class Overlay implements Rows {
  readonly #rows: Rows;
  readonly #records = new Map<string, Promise<OperationRecord | undefined>>();
  readonly #entries = new Map<string, Promise<Entry | undefined>>();
  #lastFence: Promise<number> | undefined;
  readonly #writes = new Map<string, () => Promise<unknown>>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Reads together what the jobs will ask for. */
  async read(jobs: readonly Needs[]): Promise<void> {
    await Promise.all(
      jobs.flatMap(({ key, lastFence }): Promise<unknown>[] => [
        ...(key === undefined ? [] : [this.record(key)]),
        ...(lastFence ? [this.lastFence()] : []),
      ]),
    );
  }

  /** Sends what was written, of each row the last state only. Gives the records as they are then. */
  async write(): Promise<ReadonlyMap<string, OperationRecord | undefined>> {
    await Promise.all(Array.from(this.#writes.values(), async (write) => write()));
    const records = Array.from(
      this.#records,
      async ([key, record]) => [key, await record] as const,
    );
    return new Map(await Promise.all(records));
  }

  record(key: string): Promise<OperationRecord | undefined> {
    return kept(this.#records, key, () => this.#rows.record(key));
  }

  async putRecord(record: OperationRecord): Promise<void> {
    this.#records.set(record.key, Promise.resolve(record));
    this.#writes.set(`record ${record.key}`, () => this.#rows.putRecord(record));
  }

  async deleteRecord(key: string): Promise<void> {
    this.#records.set(key, Promise.resolve(undefined));
    this.#writes.set(`record ${key}`, () => this.#rows.deleteRecord(key));
  }

  entry(key: string): Promise<Entry | undefined> {
    return kept(this.#entries, key, () => this.#rows.entry(key));
  }

  async putEntry(key: string, entry: unknown): Promise<void> {
    this.#entries.set(key, Promise.resolve({ entry }));
    this.#writes.set(`entry ${key}`, () => this.#rows.putEntry(key, entry));
  }

  async deleteEntry(key: string): Promise<void> {
    this.#entries.set(key, Promise.resolve(undefined));
    this.#writes.set(`entry ${key}`, () => this.#rows.deleteEntry(key));
  }

  lastFence(): Promise<number> {
    this.#lastFence ??= this.#rows.lastFence();
    return this.#lastFence;
  }

  async putLastFence(fence: number): Promise<void> {
    this.#lastFence = Promise.resolve(fence);
    this.#writes.set("fence", () => this.#rows.putLastFence(fence));
  }
}

function kept<Value>(
  values: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = values.get(key) ?? read();
  values.set(key, value);
  return value;
}
