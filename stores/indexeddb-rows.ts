import { type DBSchema, type IDBPTransaction, unwrap } from "idb";
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

/** The rows as one transaction sees them. Its requests are made without idb's wrappers, which cost as much as they do. */
export function rowsOf(wrapped: IDBPTransaction<Schema, StoreNames, "readwrite">): AllRows {
  const transaction = unwrap(wrapped);
  const [operations, journal, counters] = STORES.map((name) => transaction.objectStore(name)) as [
    IDBObjectStore,
    IDBObjectStore,
    IDBObjectStore,
  ];
  /** The transaction has its turn, so that nothing is in the way of its commit. */
  let begun = false;
  function read<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => {
        begun = true;
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
    });
  }
  /** A write that fails aborts the transaction, whose end is waited for in any case. */
  async function written(request: IDBRequest): Promise<void> {
    if (!begun) await read(request);
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
    lastFence: async () => (await read<number | undefined>(counters.get("fence"))) ?? 0,
    putLastFence: (fence) => written(counters.put(fence, "fence")),
  };
}
