import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { indexedDbDatabase } from "../../../stores/database.js";
import type { Rows } from "../../../stores/rows.js";
import { emptyStorage } from "./indexeddb.js";
import { claimed } from "./samples.js";

beforeEach(emptyStorage);
afterEach(() => void vi.restoreAllMocks());

const put = (rows: Rows) => rows.putRecord(claimed());
const get = (rows: Rows) => rows.record("order-1");
const stored = () => indexedDbDatabase("shop").transact("relaxed", get);

const lost = new DOMException("Connection to Indexed Database server lost.", "UnknownError");

const afterwards = (tell: () => void) => indexedDbDatabase("shop", systemClock, tell);

describe("whoever remembers what a connection has read", () => {
  it("is told when the browser has closed it: the site's data may be deleted", async () => {
    const tell = vi.fn();
    const opened = vi.spyOn(IDBDatabase.prototype, "transaction");
    await afterwards(tell).transact("strict", put);
    expect(tell).not.toHaveBeenCalled();
    Reflect.apply(forceCloseDatabase, undefined, opened.mock.contexts);
    await expect.poll(() => tell.mock.calls.length).toBe(1);
  });

  it("is told when somebody deletes the database", async () => {
    const tell = vi.fn();
    await afterwards(tell).transact("strict", put);
    await deleteDB("shop");
    expect(tell).toHaveBeenCalledTimes(1);
  });
});

/** A database whose connection is lost, which only the next transaction will tell. */
async function lostDatabase() {
  const database = indexedDbDatabase("shop");
  await database.transact("relaxed", get);
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(() => {
    throw lost;
  });
  return database;
}

describe("a connection whose server is lost", () => {
  it("is opened again, once, and the write is stored (C077, localForage/localForage#887)", async () => {
    const database = await lostDatabase();
    const open = vi.spyOn(indexedDB, "open");
    await database.transact("strict", put);
    expect(open).toHaveBeenCalledTimes(1);
    expect(await stored()).toEqual(claimed());
  });

  it("and that can't be opened again fails the write, and the next one tries anew (C078, Expensify/App#87864)", async () => {
    const database = await lostDatabase();
    vi.spyOn(indexedDB, "open").mockImplementationOnce(() => {
      throw lost;
    });
    await expect(database.transact("strict", put)).rejects.toBe(lost);
    expect(await stored()).toBeUndefined();
    await database.transact("strict", put);
    expect(await stored()).toEqual(claimed());
  });
});
