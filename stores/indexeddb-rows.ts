import type { DBSchema, IDBPTransaction } from "idb";
import { keyRange, keyRangeIn } from "./key-range.js";
import type { OperationRecord } from "./records.js";
import type { AllRows } from "./rows.js";

/** The tables, and what their rows are. */
export interface Schema extends DBSchema {
  operations: {
    key: string;
    value: OperationRecord;
    indexes: { state: [OperationRecord["state"], string]; expiry: number };
  };
  /** Keyed by what the entry belongs to, so that keys of other kinds can be added and never collide. */
  journal: { key: ["operation", string]; value: { entry: unknown } };
  counters: { key: "fence"; value: number };
}

export const STORES = ["operations", "journal", "counters"] as const;
type StoreNames = (typeof STORES)[number][];

/** The rows as one transaction sees them. */
export function rowsOf(transaction: IDBPTransaction<Schema, StoreNames, "readwrite">): AllRows {
  const operations = transaction.objectStore("operations");
  const journal = transaction.objectStore("journal");
  const counters = transaction.objectStore("counters");
  /** The transaction has its turn, so that nothing is in the way of its commit. */
  let begun = false;
  async function read<T>(request: Promise<T>): Promise<T> {
    const value = await request;
    begun = true;
    return value;
  }
  /** A write that fails aborts the transaction, whose end is waited for in any case. */
  async function written(request: Promise<unknown>): Promise<void> {
    request.catch(() => {});
    if (!begun) await request;
  }
  return {
    record: (key) => read(operations.get(key)),
    putRecord: (record) => written(operations.put(record, record.key)),
    deleteRecord: (key) => written(operations.delete(key)),
    records: ({ state, limit, ...keys }) =>
      read(
        state === undefined
          ? operations.getAll(keyRange(keys), limit)
          : operations.index("state").getAll(keyRangeIn(state, keys), limit),
      ),
    count: (state) =>
      read(operations.index("state").count(keyRangeIn(state, { prefix: "", after: undefined }))),
    expiring: (limit) => read(operations.index("expiry").getAll(null, limit)),
    countExpiring: () => read(operations.index("expiry").count()),
    entry: (key) => read(journal.get(["operation", key])),
    putEntry: (key, entry) => written(journal.put({ entry }, ["operation", key])),
    deleteEntry: (key) => written(journal.delete(["operation", key])),
    lastFence: async () => (await read(counters.get("fence"))) ?? 0,
    putLastFence: (fence) => written(counters.put(fence, "fence")),
  };
}
