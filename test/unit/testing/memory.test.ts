import { describe, expect, test } from "vitest";
import { ClaimLostError } from "../../../src/errors.js";
import {
  checkIdempotencyStore,
  checkOperationJournal,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "../../../src/testing/index.js";

const options = () => ({ signal: new AbortController().signal });

/** Asks for a key that is free or in doubt. */
async function claim(store: MemoryIdempotencyStore, key: string) {
  const begun = await store.begin(key, options());
  if (begun.state === "completed") throw new Error(`${key} is completed.`);
  return begun;
}

describe("the memory store", () => {
  test("keeps the whole store contract", async () => {
    const report = await checkIdempotencyStore(() => {
      const first = new MemoryIdempotencyStore();
      return { open: () => first.anotherTab(), crash: (store) => store.crash() };
    });
    expect(report.skipped).toEqual([]);
  });

  test("tells a crashed tab that its claim is lost, and settles nothing for it", async () => {
    const store = new MemoryIdempotencyStore();
    const { lost, fence } = await claim(store, "key");
    store.crash();
    expect(lost?.aborted).toBe(true);
    await expect(store.complete("key", "late", { ...options(), fence })).rejects.toThrow(
      ClaimLostError,
    );
    await expect(store.begin("key", options())).rejects.toThrow(ClaimLostError);
    await expect(claim(store.anotherTab(), "key")).resolves.toMatchObject({ state: "in_flight" });
  });

  test("ends the waiting of a crashed tab, and nobody else's", async () => {
    const store = new MemoryIdempotencyStore();
    const [dead, other] = [store.anotherTab(), store.anotherTab()];
    await claim(store, "key");
    const dropped = dead.begin("key", options());
    const waiter = claim(other, "key");
    dead.crash();
    dead.crash();
    await expect(dropped).rejects.toThrow(ClaimLostError);
    await store.release("key", options());
    await expect(waiter).resolves.toMatchObject({ state: "fresh" });
  });

  test("keeps its own copy of an output", async () => {
    const store = new MemoryIdempotencyStore();
    const output = { lines: [1] };
    await claim(store, "key");
    await store.complete("key", output, options());
    output.lines.push(2);
    const replayed = await store.begin("key", options());
    expect(replayed).toEqual({ state: "completed", value: { lines: [1] } });
    if (replayed.state === "completed") Object.assign(Object(replayed.value), { lines: [] });
    expect(await store.begin("key", options())).toEqual({
      state: "completed",
      value: { lines: [1] },
    });
  });

  test("keeps the claim when an output can't be copied", async () => {
    const store = new MemoryIdempotencyStore();
    await claim(store, "key");
    await expect(store.complete("key", () => {}, options())).rejects.toMatchObject({
      name: "DataCloneError",
    });
    await store.abandon("key", options());
  });

  test("shares nothing with a store that is not of its space", async () => {
    await claim(new MemoryIdempotencyStore(), "key");
    await expect(claim(new MemoryIdempotencyStore(), "key")).resolves.toMatchObject({
      state: "fresh",
    });
  });
});

describe("the memory journal", () => {
  test.for(["tab", "profile"] as const)("of scope %s keeps the contract", async (scope) => {
    const report = await checkOperationJournal(() => {
      const journal = new MemoryOperationJournal({ scope });
      const store = new MemoryIdempotencyStore();
      return {
        open: () => ({ journal: journal.anotherTab(), store: store.anotherTab() }),
        crash: (tab) => tab.store.crash(),
      };
    });
    expect(report.skipped).toHaveLength(scope === "tab" ? 2 : 0);
  });

  test("of one tab shows other tabs nothing", async () => {
    const journal = new MemoryOperationJournal();
    await journal.write("key", "written");
    expect(await journal.anotherTab().read("key")).toBeUndefined();
    expect(await journal.read("key")).toBe("written");
  });

  test("keeps its own copy of an entry", async () => {
    const journal = new MemoryOperationJournal({ scope: "profile", id: "orders" });
    const entry = { order: "17" };
    await journal.write("key", entry);
    entry.order = "18";
    expect(await journal.read("key")).toEqual({ order: "17" });
    expect(journal.anotherTab()).toMatchObject({ scope: "profile", id: "orders" });
  });
});
