import { apply } from "./apply.js";
import type { FailureLog, StorageFailure } from "./failure-log.js";
import type { ClaimedRecord, OperationRecord } from "./records.js";
import {
  decidePurge,
  decideResolve,
  decideSweep,
  type Resolution,
  type ResolveAnswer,
} from "./reviews.js";
import type { AllRows, RecordsQuery } from "./rows.js";

/** How many records one transaction of a sweep or a purge may take: calls wait for it. */
const BATCH = 100;

/** How many operations there are in each state. */
export type Counts = Readonly<Record<Exclude<OperationRecord["state"], "purged">, number>>;

/** What a purge did to the keys that it met. */
export interface Purged {
  readonly purged: number;
  /** Claims that go on; their outputs will be dropped. */
  readonly live: readonly ClaimedRecord[];
  /** Keys for whose answers somebody may still be waiting. */
  readonly awaited: readonly string[];
  /** The last key that was met, if there may be more. */
  readonly cursor: string | undefined;
}

/** The operations of one profile as reviewers and housekeeping see them. No call waits for what is done here. */
export class Administration {
  readonly #database: FailureLog;
  readonly #now: () => number;

  constructor(database: FailureLog, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /** What the storage has reported last. */
  get lastFailure(): StorageFailure | undefined {
    return this.#database.last;
  }

  /** A stretch of the records. */
  list(query: RecordsQuery): Promise<OperationRecord[]> {
    return this.#database.transact("relaxed", (rows) => rows.records(query));
  }

  /** The key's record. */
  record(key: string): Promise<OperationRecord | undefined> {
    return this.#database.transact("relaxed", (rows) => rows.record(key));
  }

  /** The fence of the last claim, of whichever coordinator. */
  lastFence(): Promise<number> {
    return this.#database.transact("relaxed", (rows) => rows.lastFence());
  }

  counts(): Promise<Counts> {
    return this.#database.transact("relaxed", async (rows) => {
      const [claimed, in_doubt, completed, not_applied] = await Promise.all([
        rows.count("claimed"),
        rows.count("in_doubt"),
        rows.count("completed"),
        rows.count("not_applied"),
      ]);
      return { claimed, in_doubt, completed, not_applied };
    });
  }

  /** See {@link decideResolve}. */
  resolve(
    key: string,
    resolution: Resolution,
    review: {
      readonly id: string;
      readonly label: string | undefined;
      readonly fence?: number | undefined;
      readonly completedMs: number;
    },
  ): Promise<ResolveAnswer> {
    return this.#database.transact("strict", async (rows) => {
      const record = await rows.record(key);
      const decision = decideResolve(record, resolution, { ...review, now: this.#now() });
      await apply(rows, key, record, decision);
      return decision.answer;
    });
  }

  /** See {@link decidePurge}. */
  purgeKey(key: string, options: { readonly inDoubt: boolean }): Promise<Purged> {
    return this.#database.transact("strict", async (rows) => {
      const record = await rows.record(key);
      return this.#purge(rows, record ? [record] : [], options);
    });
  }

  /** Purges some of the keys that begin with `prefix`, those after `after`. */
  purgeSome(
    { prefix, after }: { readonly prefix: string; readonly after: string | undefined },
    options: { readonly inDoubt: boolean },
  ): Promise<Purged> {
    return this.#database.transact("strict", async (rows) => {
      const records = await rows.records({ state: undefined, prefix, after, limit: BATCH });
      const done = await this.#purge(rows, records, options);
      return records.length < BATCH ? done : { ...done, cursor: records.at(-1)?.key };
    });
  }

  /** How many records a sweep looks at. */
  expiring(): Promise<number> {
    return this.#database.transact("relaxed", (rows) => rows.countExpiring());
  }

  /**
   * Removes some of what has expired, and of what is more than `maxCompleted`. Answers which keys they had. A power cut that
   * brings them back takes nothing from anybody.
   */
  sweep({ maxCompleted }: { readonly maxCompleted: number }): Promise<readonly string[]> {
    return this.#database.transact("relaxed", async (rows) => {
      // Counting takes the longer the more there are.
      const isBounded = maxCompleted !== Number.POSITIVE_INFINITY;
      const [records, count] = await Promise.all([
        rows.expiring(BATCH),
        isBounded ? rows.countExpiring() : 0,
      ]);
      const now = this.#now();
      const keys = decideSweep(records, { now, excess: count - maxCompleted });
      await Promise.all(keys.map((key) => rows.deleteRecord(key)));
      return keys;
    });
  }

  async #purge(
    rows: AllRows,
    records: readonly OperationRecord[],
    { inDoubt }: { readonly inDoubt: boolean },
  ): Promise<Purged> {
    const now = this.#now();
    const decided = records.map((record) => ({
      record,
      decision: decidePurge(record, { now, inDoubt }),
    }));
    await Promise.all(
      decided.map(({ record, decision }) => apply(rows, record.key, record, decision)),
    );
    const awaited = decided.flatMap(({ record, decision }) =>
      decision.record === "keep" || decision.record === "free" ? [] : record.key,
    );
    return {
      purged: decided.filter(({ decision }) => decision.answer === "purged").length,
      live: records.flatMap((record) => (record.state === "claimed" ? record : [])),
      awaited,
      cursor: undefined,
    };
  }
}
