import { type IDBPDatabase, openDB } from "idb";
import { type Clock, systemClock } from "../src/clock.js";
import { rowsOf, type Schema, STORES } from "./indexeddb-rows.js";
import type { AllRows } from "./rows.js";

/** How sure a commit is when it is reported: `strict` is on the disk, `relaxed` is with the system. */
export type Durability = "strict" | "relaxed";

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

/** The format only grows: a new version is a last resort, because older tabs block it. */
const VERSION = 1;

/**
 * How long a database may take to open, and a transaction to end, in milliseconds: another tab, or a worker that hangs in a
 * transaction of its own, can block both for ever.
 */
const OPEN_TIMEOUT_MS = 10_000;
const TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * One IndexedDB database, opened when it is first needed and again whenever the browser has closed it.
 *
 * @param lost Called when it was closed: it may have been deleted.
 */
export function indexedDbDatabase(
  name: string,
  clock: Clock = systemClock,
  lost: () => void = () => {},
): Database {
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
    if (opening !== closed) return;
    opening = undefined;
    lost();
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
      end(() => transaction.abort());
    });
    try {
      const result = await work(rowsOf(transaction));
      end(() => transaction.commit());
      await done;
      return result;
    } catch (error) {
      end(() => transaction.abort());
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

/** Ends a transaction, unless it has already ended. */
function end(how: () => void): void {
  try {
    how();
  } catch {
    // It has.
  }
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof DOMException && names.includes(error.name);

/** Some engines reject with `null`. */
const asError = (error: unknown): unknown =>
  error ?? new DOMException("The database gave no reason.", "UnknownError");
