import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { type Clock, systemClock } from "../src/clock.js";
import { type KeyStretch, keyRange, keyRangeIn } from "./key-range.js";
import type { OperationRecord } from "./records.js";

/** How sure a commit is when it is reported: `strict` is on the disk, `relaxed` is with the system. */
export type Durability = "strict" | "relaxed";

/** A stretch of the records, in the order of their keys. */
export interface RecordsQuery extends KeyStretch {
  /** `undefined`: any. */
  readonly state: OperationRecord["state"] | undefined;
  readonly limit: number;
}

/**
 * The rows that one transaction sees. This is the seam between the decisions above and the browser's database below:
 * within a transaction nothing else may be awaited, or IndexedDB commits it early.
 */
export interface Rows {
  record(key: string): Promise<OperationRecord | undefined>;
  putRecord(record: OperationRecord): Promise<unknown>;
  deleteRecord(key: string): Promise<unknown>;
  /** An operation's journal entry, boxed so that every value can be told from "no entry". */
  entry(key: string): Promise<{ readonly entry: unknown } | undefined>;
  putEntry(key: string, entry: unknown): Promise<unknown>;
  deleteEntry(key: string): Promise<unknown>;
  /** The last fence that any claim of the profile was given. */
  lastFence(): Promise<number>;
  putLastFence(fence: number): Promise<unknown>;
}

/** All that one transaction sees, for those who do not only ask for single keys. */
export interface AllRows extends Rows {
  records(query: RecordsQuery): Promise<OperationRecord[]>;
  /** How many records there are in this state. */
  count(state: OperationRecord["state"]): Promise<number>;
  /** Records that expire, the first to expire first. */
  expiring(limit: number): Promise<OperationRecord[]>;
  countExpiring(): Promise<number>;
}

/** Where operations live. */
export interface Database {
  /**
   * Runs `work` in one transaction that excludes all others. Resolves once it is committed; a rejection means that
   * nothing was.
   */
  transact<T>(durability: Durability, work: (rows: AllRows) => Promise<T>): Promise<T>;
  /** Keeps no connection once its transactions have ended: an open one can keep a page out of the back/forward cache. */
  close(): void;
}

interface Schema extends DBSchema {
  operations: {
    key: string;
    value: OperationRecord;
    indexes: { state: [OperationRecord["state"], string]; expiry: number };
  };
  /** Keyed by what the entry belongs to, so that keys of other kinds can be added and never collide. */
  journal: { key: ["operation", string]; value: { entry: unknown } };
  counters: { key: "fence"; value: number };
}

const STORES = ["operations", "journal", "counters"] as const;
type StoreNames = (typeof STORES)[number][];

/** The format only grows: a new version is a last resort, because older tabs block it. */
const VERSION = 1;

/**
 * How long a database may take to open, and a transaction to end, in milliseconds: another tab, or a worker that hangs in a
 * transaction of its own, can block both for ever.
 */
const OPEN_TIMEOUT_MS = 10_000;
const TRANSACTION_TIMEOUT_MS = 10_000;

/** One IndexedDB database, opened when it is first needed and again whenever the browser has closed it. */
export function indexedDbDatabase(name: string, clock: Clock = systemClock): Database {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  let running = 0;
  let closed = false;

  function connection(): Promise<IDBPDatabase<Schema>> {
    if (opening) return opening;
    // Memoized before anything is awaited, so that callers in one tick share one request.
    const mine = open(name, clock, () => forget(mine)).catch((error: unknown) => {
      forget(mine);
      throw asError(error);
    });
    opening = mine;
    return mine;
  }
  /** An event of an earlier connection must not drop the present one. */
  function forget(closed: Promise<IDBPDatabase<Schema>> | undefined): void {
    if (opening === closed) opening = undefined;
  }

  async function begin(durability: Durability) {
    const start = (database: IDBPDatabase<Schema>) =>
      database.transaction([...STORES], "readwrite", { durability });
    const current = connection();
    const database = await current;
    try {
      return start(database);
    } catch (error) {
      // The browser can close a connection without an event (a resumed worker, a restored page): reopen once.
      if (!isNamed(error, "InvalidStateError", "UnknownError")) throw error;
      forget(current);
      return start(await connection());
    }
  }

  /** Lets the connection go when it has been closed and nothing runs. */
  function rest(): void {
    if (!closed || running > 0) return;
    opening?.then(
      (database) => database.close(),
      () => {},
    );
    opening = undefined;
  }

  async function transact<T>(
    durability: Durability,
    work: (rows: AllRows) => Promise<T>,
  ): Promise<T> {
    const transaction = await begin(durability);
    const done = transaction.done;
    done.catch(() => {});
    let late: Error | undefined;
    const cancel = clock.after(TRANSACTION_TIMEOUT_MS, () => {
      late = stuck(`A transaction on the database "${name}" did not end`, TRANSACTION_TIMEOUT_MS);
      abort(transaction);
    });
    try {
      const result = await work(rowsOf(transaction));
      await done;
      return result;
    } catch (error) {
      abort(transaction);
      // Nothing is reported before the transaction has ended: what it wrote may be committed until then.
      await done.catch(() => {});
      // Chromium reports a full disk as a bare AbortError on the request; the transaction knows the reason.
      throw late ?? ((isNamed(error, "AbortError") && transaction.error) || asError(error));
    } finally {
      cancel();
    }
  }

  return {
    async transact(durability, work) {
      running += 1;
      try {
        return await transact(durability, work);
      } finally {
        running -= 1;
        rest();
      }
    },
    close() {
      closed = true;
      rest();
    },
  };
}

async function open(name: string, clock: Clock, closed: () => void): Promise<IDBPDatabase<Schema>> {
  let late = false;
  let cancel = () => {};
  const request = openDB<Schema>(name, VERSION, {
    upgrade(database, _old, _new, transaction) {
      for (const store of STORES) database.createObjectStore(store);
      const operations = transaction.objectStore("operations");
      operations.createIndex("state", ["state", "key"]);
      operations.createIndex("expiry", "expiresAt");
    },
    // Another build wants to upgrade or delete the database: this one must not stand in the way.
    blocking(_current, _next, event) {
      closed();
      (event.target as IDBDatabase).close();
    },
    terminated: closed,
  });
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.after(OPEN_TIMEOUT_MS, () => {
      late = true;
      reject(stuck(`The database "${name}" did not open`, OPEN_TIMEOUT_MS));
    });
  });
  request.then(
    (database) => late && database.close(),
    () => {},
  );
  try {
    return await Promise.race([request, deadline]);
  } finally {
    cancel();
  }
}

/** Somebody else is in the way. The browser does not tell who. */
const stuck = (what: string, ms: number): DOMException =>
  new DOMException(
    `${what} within ${ms} ms. Another tab of this site, or a coordination worker that hangs, is in the way: close the site's other tabs.`,
    "TimeoutError",
  );

function rowsOf(transaction: IDBPTransaction<Schema, StoreNames, "readwrite">): AllRows {
  const operations = transaction.objectStore("operations");
  const journal = transaction.objectStore("journal");
  const counters = transaction.objectStore("counters");
  return {
    record: (key) => operations.get(key),
    putRecord: (record) => operations.put(record, record.key),
    deleteRecord: (key) => operations.delete(key),
    records: ({ state, limit, ...keys }) =>
      state === undefined
        ? operations.getAll(keyRange(keys), limit)
        : operations.index("state").getAll(keyRangeIn(state, keys), limit),
    count: (state) =>
      operations.index("state").count(keyRangeIn(state, { prefix: "", after: undefined })),
    expiring: (limit) => operations.index("expiry").getAll(null, limit),
    countExpiring: () => operations.index("expiry").count(),
    entry: (key) => journal.get(["operation", key]),
    putEntry: (key, entry) => journal.put({ entry }, ["operation", key]),
    deleteEntry: (key) => journal.delete(["operation", key]),
    lastFence: async () => (await counters.get("fence")) ?? 0,
    putLastFence: (fence) => counters.put(fence, "fence"),
  };
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has already ended.
  }
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof DOMException && names.includes(error.name);

/** Some engines reject with `null`. */
const asError = (error: unknown): unknown =>
  error ?? new DOMException("The database gave no reason.", "UnknownError");
