import type { OperationRecord } from "../../../stores/records.js";
import type { AllRows, RecordsQuery } from "../../../stores/rows.js";

type Entry = { readonly entry: unknown };

/** All rows of the database at one moment. It is never changed. */
export class Contents {
  constructor(
    readonly records: ReadonlyMap<string, OperationRecord> = new Map(),
    readonly entries: ReadonlyMap<string, Entry> = new Map(),
    readonly lastFence = 0,
  ) {}
}

/** One write of a record. */
export interface Change {
  readonly key: string;
  readonly before: OperationRecord | undefined;
  readonly after: OperationRecord | undefined;
}

/** The rows as one transaction sees them, with what it has written itself. */
export class Draft implements AllRows {
  readonly #records: Map<string, OperationRecord>;
  readonly #entries: Map<string, Entry>;
  #lastFence: number;
  #changed = false;
  /** The writes of records, in their order. */
  readonly changes: Change[] = [];
  readonly #request: (writes: boolean) => void;

  /** @param request Called before each request: it can fail it. */
  constructor(contents: Contents, request: (writes: boolean) => void) {
    this.#records = new Map(contents.records);
    this.#entries = new Map(contents.entries);
    this.#lastFence = contents.lastFence;
    this.#request = request;
  }

  get changed(): boolean {
    return this.#changed;
  }

  /** What there is once it is committed. */
  result(): Contents {
    return new Contents(this.#records, this.#entries, this.#lastFence);
  }

  async record(key: string): Promise<OperationRecord | undefined> {
    return this.#read(() => this.#records.get(key));
  }

  async putRecord(record: OperationRecord): Promise<void> {
    const after = structuredClone(record);
    this.#write(() => {
      this.changes.push({ key: record.key, before: this.#records.get(record.key), after });
      this.#records.set(record.key, after);
    });
  }

  async deleteRecord(key: string): Promise<void> {
    this.#write(() => {
      this.changes.push({ key, before: this.#records.get(key), after: undefined });
      this.#records.delete(key);
    });
  }

  async records({ state, limit, prefix, after }: RecordsQuery): Promise<OperationRecord[]> {
    return this.#read(() => {
      const records = this.#all()
        .filter(({ key }) => key.startsWith(prefix) && (after === undefined || key > after))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      return records
        .filter((record) => state === undefined || record.state === state)
        .slice(0, limit);
    });
  }

  async count(state: OperationRecord["state"]): Promise<number> {
    return this.#read(() => this.#all().filter((record) => record.state === state).length);
  }

  async expiring(limit: number): Promise<OperationRecord[]> {
    return this.#read(() => this.#expiring().slice(0, limit));
  }

  async countExpiring(): Promise<number> {
    return this.#read(() => this.#expiring().length);
  }

  async entry(key: string): Promise<Entry | undefined> {
    return this.#read(() => this.#entries.get(key));
  }

  async putEntry(key: string, entry: unknown): Promise<void> {
    this.#write(() => this.#entries.set(key, { entry: structuredClone(entry) }));
  }

  async deleteEntry(key: string): Promise<void> {
    this.#write(() => this.#entries.delete(key));
  }

  async lastFence(): Promise<number> {
    return this.#read(() => this.#lastFence);
  }

  async putLastFence(fence: number): Promise<void> {
    this.#write(() => {
      this.#lastFence = fence;
    });
  }

  #all(): OperationRecord[] {
    return [...this.#records.values()];
  }

  /** The first to expire first. */
  #expiring(): OperationRecord[] {
    const dated = this.#all().flatMap((record) => {
      const expiresAt = "expiresAt" in record ? record.expiresAt : undefined;
      return expiresAt === undefined ? [] : [{ record, expiresAt }];
    });
    return dated.sort((a, b) => a.expiresAt - b.expiresAt).map(({ record }) => record);
  }

  #read<T>(read: () => T): T {
    this.#request(false);
    return structuredClone(read());
  }

  #write(write: () => void): void {
    this.#request(true);
    this.#changed = true;
    write();
  }
}
