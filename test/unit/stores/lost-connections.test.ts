import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { indexedDbDatabase, type Rows } from "../../../stores/database.js";
import { emptyStorage } from "./indexeddb.js";
import { claimed } from "./samples.js";

beforeEach(emptyStorage);
afterEach(() => void vi.restoreAllMocks());

const put = (rows: Rows) => rows.putRecord(claimed());
const get = (rows: Rows) => rows.record("order-1");
const stored = () => indexedDbDatabase("shop").transact("relaxed", get);

const lost = new DOMException("Connection to Indexed Database server lost.", "UnknownError");

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
