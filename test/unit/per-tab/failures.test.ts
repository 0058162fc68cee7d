import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CoordinationUnavailableError } from "../../../src/errors.js";
import { createTestLockManager } from "../../../src/testing/locks.js";
import { IndexedDbIdempotencyStore } from "../../../stores/index.js";
import { emptyStorage, watchTransactions } from "../stores/indexeddb.js";
import { never, openBrowser, owned } from "./tabs.js";

beforeEach(emptyStorage);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The next transaction can't be begun. */
function failTransaction(name: string): void {
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(() => {
    throw new DOMException("lost", name);
  });
}

describe("a page that can't coordinate", () => {
  const begin = (store: IndexedDbIdempotencyStore) =>
    store.begin("order-1", { signal: never() }).catch((error: unknown) => error);

  it("may make a store, as a server render does", () => {
    vi.stubGlobal("indexedDB", undefined);
    const open = vi.spyOn(IDBFactory.prototype, "open");
    new IndexedDbIdempotencyStore();
    expect(open).not.toHaveBeenCalled();
  });

  it("is refused without Web Locks", async () => {
    vi.stubGlobal("navigator", {});
    const error = await begin(new IndexedDbIdempotencyStore());
    expect(error).toBeInstanceOf(CoordinationUnavailableError);
    expect(error).toMatchObject({ message: expect.stringContaining("no Web Locks") });
  });

  it("is refused without IndexedDB", async () => {
    const locks = createTestLockManager();
    vi.stubGlobal("indexedDB", undefined);
    const error = await begin(new IndexedDbIdempotencyStore({ locks }));
    expect(error).toBeInstanceOf(CoordinationUnavailableError);
    expect(error).toMatchObject({ message: expect.stringContaining("no IndexedDB") });
  });

  it("uses the browser's own locks, unless it is given others", async () => {
    const locks = createTestLockManager();
    vi.stubGlobal("navigator", { locks });
    expect(await begin(new IndexedDbIdempotencyStore())).toMatchObject({ state: "fresh" });
    expect((await locks.query()).held).toHaveLength(1);
  });

  it("is refused where locks are denied", async () => {
    const { locks, openTab } = openBrowser();
    const denied = new DOMException("denied", "SecurityError");
    vi.spyOn(Object.getPrototypeOf(locks), "request").mockRejectedValue(denied);
    const refused = openTab().ask("order-1").begun;
    await expect(refused).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await expect(refused).rejects.toMatchObject({ cause: denied });
  });

  it("is refused where storage is denied, and keeps no lock", async () => {
    const { locks, openTab } = openBrowser();
    const denied = new DOMException("denied", "SecurityError");
    vi.spyOn(indexedDB, "open").mockImplementationOnce(() => {
      throw denied;
    });
    const tab = openTab();
    const refused = tab.ask("order-1").begun;
    await expect(refused).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await expect(refused).rejects.toMatchObject({ cause: denied });
    expect((await locks.query()).held).toEqual([]);
    expect(await owned(tab.ask("order-1").begun)).toMatchObject({ state: "fresh" });
  });

  it("is told when a newer build has stored its operations", async () => {
    (await openDB("signett-stores", 99)).close();
    const refused = openBrowser().openTab().ask("order-1").begun;
    await expect(refused).rejects.toBeInstanceOf(CoordinationUnavailableError);
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining("newer version"),
    });
  });
});

describe("a storage failure", () => {
  it("while completing leaves the claim, to be abandoned", async () => {
    const { openTab } = openBrowser();
    const [tab, next] = [openTab(), openTab()];
    await tab.ask("order-1").begun;
    failTransaction("QuotaExceededError");
    const failed = tab.store.complete("order-1", "done", { signal: never() });
    await expect(failed).rejects.toMatchObject({ name: "QuotaExceededError" });
    await tab.store.abandon("order-1", { signal: never(), executed: true });
    const taken = await owned(next.ask("order-1").begun);
    expect(taken).toMatchObject({ state: "in_flight", executed: true });
  });

  it("of an output that can't be stored leaves the claim, to be completed", async () => {
    const tab = openBrowser().openTab();
    await tab.ask("order-1").begun;
    const failed = tab.store.complete("order-1", () => {}, { signal: never() });
    await expect(failed).rejects.toMatchObject({ name: "DataCloneError" });
    await tab.store.complete("order-1", "done", { signal: never() });
  });

  it("while abandoning leaves doubt all the same, and nobody waits for ever", async () => {
    const { openTab } = openBrowser();
    const [tab, next] = [openTab(), openTab()];
    await tab.ask("order-1").begun;
    const { begun, waiting } = next.ask("order-1");
    await waiting;
    failTransaction("QuotaExceededError");
    const failed = tab.store.abandon("order-1", { signal: never() });
    await expect(failed).rejects.toMatchObject({ name: "QuotaExceededError" });
    expect(await owned(begun)).toMatchObject({ state: "in_flight", fence: 2 });
  });
});

describe("the connection", () => {
  it("is opened once, and kept", async () => {
    const open = vi.spyOn(indexedDB, "open");
    const tab = openBrowser().openTab();
    await Promise.all([tab.ask("order-1").begun, tab.ask("order-2").begun]);
    await tab.store.complete("order-1", "done", { signal: never() });
    await tab.ask("order-3").begun;
    expect(open).toHaveBeenCalledTimes(1);
  });

  it("is opened again when the browser has lost it", async () => {
    const tab = openBrowser().openTab();
    await tab.ask("order-1").begun;
    failTransaction("UnknownError");
    await tab.store.complete("order-1", "done", { signal: never() });
    expect(await tab.ask("order-1").begun).toEqual({ state: "completed", value: "done" });
  });

  it("makes way for a deletion, and the next call begins anew", async () => {
    const tab = openBrowser().openTab();
    const seen = watchTransactions();
    await tab.ask("order-1").begun;
    const connection = seen.latest().db;
    await tab.store.complete("order-1", "done", { signal: never() });
    const blocked = vi.fn();
    await deleteDB("signett-stores", { blocked });
    expect(blocked).not.toHaveBeenCalled();
    expect(await owned(tab.ask("order-1").begun)).toEqual({ state: "fresh", fence: 1 });
    expect(seen.latest().db).not.toBe(connection);
  });
});
