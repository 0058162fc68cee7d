import { beforeEach, expect, it } from "vitest";
import { IndexedDbOperationJournal } from "../../../stores/index.js";
import { emptyStorage, watchTransactions } from "../stores/indexeddb.js";
import { never, openBrowser } from "./tabs.js";

beforeEach(emptyStorage);

it("an entry is read by every tab, and by no journal of another name", async () => {
  await new IndexedDbOperationJournal().write("order-1", { receipt: 1 });
  const elsewhere = new IndexedDbOperationJournal();
  expect(elsewhere.scope).toBe("profile");
  expect(await elsewhere.read("order-1")).toEqual({ receipt: 1 });
  expect(await new IndexedDbOperationJournal({ name: "other" }).read("order-1")).toBeUndefined();
});

it("journals are told apart by their names", () => {
  const ids = [{}, {}, { name: "other" }].map(
    (options) => new IndexedDbOperationJournal(options).id,
  );
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
});

it("an entry takes the place of an earlier one, and is removed alone", async () => {
  const journal = new IndexedDbOperationJournal();
  await journal.write("order-1", "first");
  await journal.write("order-1", null);
  await journal.write("order-2", "other");
  expect(await journal.read("order-1")).toBeNull();
  await journal.remove("order-1");
  await journal.remove("order-1");
  expect(await journal.read("order-1")).toBeUndefined();
  expect(await journal.read("order-2")).toBe("other");
});

it("an entry is durable when it is written", async () => {
  const seen = watchTransactions();
  await new IndexedDbOperationJournal().write("order-1", "entry");
  expect(seen.durabilities).toEqual(["strict"]);
});

it("an operation of the same text, in a store of the same name, leaves the entry alone", async () => {
  const journal = new IndexedDbOperationJournal();
  await journal.write("order-1", "entry");
  const tab = openBrowser().openTab();
  await tab.ask("order-1").begun;
  await tab.store.complete("order-1", "done", { signal: never() });
  expect(await journal.read("order-1")).toBe("entry");
});
