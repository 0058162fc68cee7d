import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clock } from "../../../src/clock.js";
import { Batches } from "../../../stores/batches.js";
import { indexedDbDatabase } from "../../../stores/database.js";
import type { Rows } from "../../../stores/rows.js";
import { emptyStorage, succeeded, watchTransactions } from "./indexeddb.js";
import { claimed } from "./samples.js";

beforeEach(emptyStorage);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const put = (rows: Rows) => rows.putRecord(claimed());
const get = (rows: Rows) => rows.record("order-1");

/** What the database has, seen through a connection of its own. */
const stored = () => indexedDbDatabase("shop").transact("relaxed", get);

/** The connection under the code's own transactions. */
async function connectionOf(database: ReturnType<typeof indexedDbDatabase>): Promise<IDBDatabase> {
  const seen = watchTransactions();
  await database.transact("relaxed", get);
  const { db } = seen.latest();
  vi.restoreAllMocks();
  return db;
}

/** A clock whose time passes when a test says so, and then for all that wait for it. */
function stoppedClock() {
  const due = new Set<() => void>();
  const clock: Clock = {
    now: () => 0,
    after(_, task) {
      due.add(task);
      return () => void due.delete(task);
    },
  };
  const pass = () => {
    for (const task of due) task();
  };
  const waitedFor = async () => {
    while (due.size === 0) await Promise.resolve();
  };
  return { clock, pass, waitedFor };
}

/** A transaction of somebody else that does not end until it is released. */
async function occupy(name: string): Promise<() => void> {
  const database = await succeeded(indexedDB.open(name));
  const store = database.transaction("operations", "readwrite").objectStore("operations");
  let released = false;
  const goOn = () => {
    if (!released) store.get("x").onsuccess = goOn;
  };
  goOn();
  return () => {
    released = true;
    database.close();
  };
}

describe("the connection", () => {
  it("is opened once for all that need it in one tick, and not before (C087, Stirling-Tools/Stirling-PDF#7416)", async () => {
    const open = vi.spyOn(indexedDB, "open");
    const database = indexedDbDatabase("shop");
    expect(open).not.toHaveBeenCalled();
    await Promise.all(Array.from({ length: 5 }, () => database.transact("relaxed", get)));
    await database.transact("strict", put);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it("is opened again after the browser closed it without a word (C080, jakearchibald/idb#229; C140, dexie/Dexie.js#1805)", async () => {
    const database = indexedDbDatabase("shop");
    (await connectionOf(database)).close();
    await database.transact("strict", put);
    expect(await stored()).toEqual(claimed());
  });

  it("is opened again after the browser closed it with an event (C081, instantdb/instant#2541)", async () => {
    const database = indexedDbDatabase("shop");
    const connection = await connectionOf(database);
    const open = vi.spyOn(indexedDB, "open");
    const begun = vi.spyOn(connection, "transaction");
    Reflect.apply(forceCloseDatabase, undefined, [connection]);
    await database.transact("strict", put);
    expect(open).toHaveBeenCalledTimes(1);
    expect(begun).not.toHaveBeenCalled();
    expect(await stored()).toEqual(claimed());
  });

  it("makes way for whoever wants to delete the database, and is opened again", async () => {
    const database = indexedDbDatabase("shop");
    await database.transact("strict", put);
    const blocked = vi.fn();
    await deleteDB("shop", { blocked });
    expect(blocked).not.toHaveBeenCalled();
    expect(await database.transact("relaxed", get)).toBeUndefined();
    await database.transact("strict", put);
    expect(await stored()).toEqual(claimed());
  });

  it("makes way for a newer build, and then says that the database is newer (C090, dexie/Dexie.js#1507)", async () => {
    const database = indexedDbDatabase("shop");
    await database.transact("strict", put);
    const newer = await openDB("shop", 2, {});
    const refused = database.transact("strict", put);
    await expect(refused).rejects.toBeInstanceOf(DOMException);
    await expect(refused).rejects.toMatchObject({ name: "VersionError" });
    expect(await newer.get("operations", "order-1")).toEqual(claimed());
    newer.close();
  });

  it("is tried anew by the next caller when opening failed", async () => {
    const database = indexedDbDatabase("shop");
    const denied = new DOMException("denied", "SecurityError");
    vi.spyOn(indexedDB, "open").mockImplementationOnce(() => {
      throw denied;
    });
    await expect(database.transact("strict", put)).rejects.toBe(denied);
    await database.transact("strict", put);
    expect(await stored()).toEqual(claimed());
  });

  it("gives up on a database that does not open, and closes it should it open late (C086, pingdotgg/t3code#5116)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const inTheWay = await succeeded(indexedDB.open("shop", 1));
    indexedDB.deleteDatabase("shop");
    const close = vi.spyOn(IDBDatabase.prototype, "close");
    const refused = expect(indexedDbDatabase("shop").transact("strict", put)).rejects;
    await Promise.all([
      refused.toMatchObject({ name: "TimeoutError", message: expect.stringContaining("shop") }),
      vi.advanceTimersByTimeAsync(10_000),
    ]);
    expect(close).not.toHaveBeenCalled();
    inTheWay.close();
    // This request stands in the queue behind the late one.
    (await succeeded(indexedDB.open("shop"))).close();
    expect(close).toHaveBeenCalledTimes(3);
  });

  it("is let go by whoever needs it no more, and not before its transactions have ended", async () => {
    const database = indexedDbDatabase("shop");
    const closed = vi.spyOn(IDBDatabase.prototype, "close");
    const last = database.transact("strict", put);
    database.close();
    expect(closed).not.toHaveBeenCalled();
    await last;
    expect(closed).toHaveBeenCalledTimes(1);
    expect(await stored()).toEqual(claimed());
  });

  it("that was let go is not kept by what comes late", async () => {
    const database = indexedDbDatabase("shop");
    await database.transact("strict", put);
    const closed = vi.spyOn(IDBDatabase.prototype, "close");
    database.close();
    await Promise.all([database.transact("strict", get), database.transact("strict", put)]);
    expect(closed).toHaveBeenCalledTimes(2);
  });

  it("does not leave its deadline behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await indexedDbDatabase("shop").transact("strict", put);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a transaction", () => {
  it("that is aborted before its commit reports nothing as done", async () => {
    const seen = watchTransactions();
    const doomed = indexedDbDatabase("shop").transact("strict", async (rows) => {
      await put(rows);
      seen.latest().abort();
      return "done";
    });
    await expect(doomed).rejects.toMatchObject({ name: "AbortError" });
    expect(await stored()).toBeUndefined();
  });

  it("is rolled back as a whole when its work fails, and gives the failure itself", async () => {
    const failure = new RangeError("a bug");
    const failed = indexedDbDatabase("shop").transact("strict", async (rows) => {
      await put(rows);
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await stored()).toBeUndefined();
  });

  it("that the full disk aborted says so, though the request only knows that it was aborted (C092, dexie/Dexie.js#776)", async () => {
    const seen = watchTransactions();
    const full = indexedDbDatabase("shop").transact("strict", (rows) => {
      const writing = put(rows);
      const transaction = seen.latest();
      transaction.abort();
      Object.assign(transaction, { error: new DOMException("", "QuotaExceededError") });
      return writing;
    });
    await expect(full).rejects.toMatchObject({ name: "QuotaExceededError" });
  });

  it("that does not end is aborted, and the failure says who may be in the way", async () => {
    const { clock, pass, waitedFor } = stoppedClock();
    const database = indexedDbDatabase("shop", clock);
    await database.transact("strict", get);
    const release = await occupy("shop");
    const stuck = database.transact("strict", put);
    await waitedFor();
    pass();
    await expect(stuck).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringMatching(/did not end within 10000 ms.*close the site's other tabs/),
    });
    release();
    expect(await stored()).toBeUndefined();
    await database.transact("strict", put);
    expect(await stored()).toEqual(claimed());
  });

  it("that is committing when its time is over is reported as it ends", async () => {
    const { clock, pass } = stoppedClock();
    const seen = watchTransactions();
    const written = indexedDbDatabase("shop", clock).transact("strict", async (rows) => {
      await put(rows);
      seen.latest().commit();
      pass();
      return "done";
    });
    expect(await written).toBe("done");
    vi.restoreAllMocks();
    expect(await stored()).toEqual(claimed());
  });

  it.each([null, undefined])(
    "that fails with %s fails with an error (C093, jakearchibald/idb-keyval#163)",
    async (nothing) => {
      const failed = indexedDbDatabase("shop").transact("strict", () => Promise.reject(nothing));
      await expect(failed).rejects.toBeInstanceOf(DOMException);
    },
  );

  it("excludes every other one, whoever begins it (C139, pubkey/rxdb#2651)", async () => {
    const increment = async (rows: Rows) => rows.putLastFence((await rows.lastFence()) + 1);
    const databases = [indexedDbDatabase("shop"), indexedDbDatabase("shop")];
    await Promise.all(
      Array.from({ length: 10 }, () =>
        databases.map((on) => on.transact("relaxed", increment)),
      ).flat(),
    );
    expect(await indexedDbDatabase("shop").transact("relaxed", (rows) => rows.lastFence())).toBe(
      20,
    );
  });
});

describe("a database that can't be opened", () => {
  it("fails with an error also where the engine gives no reason", async () => {
    (await openDB("shop", 2, {})).close();
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, "open").mockImplementation((...asked) =>
      Object.defineProperty(open(...asked), "error", { get: () => null, set: () => {} }),
    );
    const failed = indexedDbDatabase("shop").transact("strict", put);
    await expect(failed).rejects.toBeInstanceOf(Error);
  });

  it("is asked once for a whole batch: its callers don't wait for one deadline each", async () => {
    const open = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    const batches = new Batches(indexedDbDatabase("shop"));
    const jobs = Array.from({ length: 20 }, () => batches.run("strict", {}, put));
    expect(new Set((await Promise.allSettled(jobs)).map(({ status }) => status))).toEqual(
      new Set(["rejected"]),
    );
    expect(open).toHaveBeenCalledTimes(1);
  });
});
