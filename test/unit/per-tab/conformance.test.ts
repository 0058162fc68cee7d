import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { IdempotencyStore, OperationJournal } from "../../../src/contracts.js";
import {
  checkIdempotencyStore,
  checkOperationJournal,
  createTestLockManager,
  type JournalTab,
  type TestLockClient,
} from "../../../src/testing/index.js";
import { WebStorageOperationJournal } from "../../../src/web-storage-journal.js";
import { IndexedDbIdempotencyStore, IndexedDbOperationJournal } from "../../../stores/index.js";
import { emptyStorage } from "../stores/indexeddb.js";
import { makeStorage } from "./storage.js";

beforeEach(emptyStorage);
afterEach(() => {
  vi.unstubAllGlobals();
});

let spaces = 0;

/** Stores of one browser profile that no earlier check has used. */
function openSpace() {
  const locks = createTestLockManager();
  const name = `space ${++spaces}`;
  const tabs = new Map<IdempotencyStore, TestLockClient>();
  return {
    name,
    open() {
      const client = locks.client();
      const store = new IndexedDbIdempotencyStore({ name, locks: client });
      tabs.set(store, client);
      return store;
    },
    crash: (store: IdempotencyStore | undefined) => store && tabs.get(store)?.crash(),
  };
}

it("the IndexedDB store keeps the whole contract of stores", async () => {
  const report = await checkIdempotencyStore(openSpace);
  expect(report.skipped).toEqual([]);
});

/** Journals that go with the IndexedDB stores of a space. */
function journals(open: (name: string) => OperationJournal) {
  return () => {
    const space = openSpace();
    return {
      open: (): JournalTab => ({ journal: open(space.name), store: space.open() }),
      crash: ({ store }: JournalTab) => space.crash(store),
    };
  };
}

it("the IndexedDB journal keeps the contract of journals", async () => {
  const report = await checkOperationJournal(
    journals((name) => new IndexedDbOperationJournal({ name })),
  );
  expect(report.skipped).toEqual([]);
});

it("the web-storage journal over localStorage keeps the contract of journals", async () => {
  const storage = makeStorage();
  vi.stubGlobal("localStorage", storage);
  const report = await checkOperationJournal(
    journals((name) => new WebStorageOperationJournal(storage, `${name}:`)),
  );
  expect(report.skipped).toEqual([]);
});

it("the web-storage journal over sessionStorage keeps the contract of journals of one tab", async () => {
  const report = await checkOperationJournal(
    journals((name) => new WebStorageOperationJournal(makeStorage(), `${name}:`)),
  );
  expect(new Set(report.skipped.map(({ reason }) => reason))).toEqual(
    new Set(["its `scope` is one tab"]),
  );
});
