import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Batches } from "../../../stores/batches.js";
import { type Durability, indexedDbDatabase } from "../../../stores/database.js";
import { Operations } from "../../../stores/operations.js";
import type { Rows } from "../../../stores/rows.js";
import { emptyStorage, watchTransactions } from "./indexeddb.js";
import { claimed, mine, request } from "./samples.js";

beforeEach(emptyStorage);
afterEach(() => vi.restoreAllMocks());

const put = (key: string) => (rows: Rows) => rows.putRecord(claimed({ key }));
const stored = (key: string) =>
  indexedDbDatabase("shop").transact("relaxed", (rows) => rows.record(key));

describe("jobs that arrive together", () => {
  it("share one transaction, and each gets its own result", async () => {
    const seen = watchTransactions();
    const batches = new Batches(indexedDbDatabase("shop"));
    const results = await Promise.all(
      ["a", "b", "c"].map((key) =>
        batches.run("relaxed", {}, async (rows) => {
          await put(key)(rows);
          return key;
        }),
      ),
    );
    expect(results).toEqual(["a", "b", "c"]);
    expect(seen.durabilities).toEqual(["relaxed"]);
  });

  it("go into the next transaction together when one is being committed", async () => {
    const seen = watchTransactions();
    const batches = new Batches(indexedDbDatabase("shop"));
    const late: Promise<unknown>[] = [];
    await batches.run("relaxed", {}, async (rows) => {
      late.push(batches.run("relaxed", {}, put("b")), batches.run("relaxed", {}, put("c")));
      return await put("a")(rows);
    });
    await Promise.all(late);
    expect(seen.durabilities).toHaveLength(2);
  });

  it("see what the jobs before them did", async () => {
    const batches = new Batches(indexedDbDatabase("shop"));
    const count = (rows: Rows) =>
      rows.lastFence().then(async (fence) => {
        await rows.putLastFence(fence + 1);
        return fence + 1;
      });
    const counted = await Promise.all([1, 2, 3].map(() => batches.run("relaxed", {}, count)));
    expect(counted).toEqual([1, 2, 3]);
  });

  it("are committed as durably as the most demanding of them asks", async () => {
    const seen = watchTransactions();
    const batches = new Batches(indexedDbDatabase("shop"));
    const commit = (...durabilities: Durability[]) =>
      Promise.all(durabilities.map((durability, i) => batches.run(durability, {}, put(`${i}`))));
    await commit("relaxed", "relaxed");
    await commit("relaxed", "strict", "relaxed");
    expect(seen.durabilities).toEqual(["relaxed", "strict"]);
  });

  it("are not lost with a bad one among them, and the bad one alone fails", async () => {
    const batches = new Batches(indexedDbDatabase("shop"));
    const bad = new Error("bad");
    const outcomes = await Promise.allSettled([
      batches.run("strict", {}, put("a")),
      batches.run("strict", {}, async (rows) => {
        await put("bad")(rows);
        throw bad;
      }),
      batches.run("strict", {}, put("b")),
    ]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: bad },
      { status: "fulfilled" },
    ]);
    expect(await stored("a")).toBeDefined();
    expect(await stored("b")).toBeDefined();
    expect(await stored("bad")).toBeUndefined();
  });

  it("that are blocked together are given up together: not each after a time of its own", async () => {
    let transactions = 0;
    const blocked = new DOMException("blocked", "TimeoutError");
    const database = indexedDbDatabase("shop");
    const batches = new Batches({
      ...database,
      async transact(durability, work) {
        transactions += 1;
        await database.transact(durability, work);
        throw blocked;
      },
    });
    const jobs = ["a", "b", "c", "d"].map((key) => batches.run("strict", { key }, put(key)));
    for (const outcome of await Promise.allSettled(jobs)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: blocked });
    }
    expect(transactions).toBe(2);
  });

  it("do not stop later jobs when all of them fail", async () => {
    const batches = new Batches(indexedDbDatabase("shop"));
    const fail = () => batches.run("strict", {}, () => Promise.reject(new Error("bad")));
    await Promise.allSettled([fail(), fail()]);
    await batches.run("strict", {}, put("a"));
    expect(await stored("a")).toBeDefined();
  });

  it("are bounded in number, so that one commit stays short", async () => {
    const seen = watchTransactions();
    const batches = new Batches(indexedDbDatabase("shop"));
    const jobs = Array.from({ length: 600 }, (_, i) => batches.run("relaxed", {}, put(`${i}`)));
    await Promise.all(jobs);
    expect(seen.durabilities).toHaveLength(3);
  });
});

describe("the durability that is asked for", () => {
  const operations = () => new Operations(indexedDbDatabase("shop"));
  const caller = (over = {}, waited = false) => ({ request: request(over), waited });
  const asks: Record<string, [Durability, (on: Operations) => Promise<unknown>]> = {
    "a claim that starts": ["strict", (on) => on.begin("order-1", [caller()])],
    "a reservation, which may turn out to be a takeover": [
      "strict",
      (on) => on.begin("order-1", [caller({ reserve: true })]),
    ],
    "a waiter's claim, which may turn out to be a takeover": [
      "strict",
      (on) => on.begin("order-1", [caller({}, true)]),
    ],
    "a start": ["strict", (on) => on.start(mine, { fresh: false })],
    "a journal write": ["strict", (on) => on.journal(mine, { entry: 1 })],
    "a removal from the journal": ["strict", (on) => on.journal(mine, undefined)],
    "a completion": ["strict", (on) => on.complete({ ...mine, tool: "cancel_order" }, 1)],
    "a release": ["strict", (on) => on.release(mine)],
    "an abandonment": ["strict", (on) => on.abandon(mine, { executed: false })],
    "a burial": ["strict", (on) => on.bury({ ...mine, owner: "my-lock" })],
    "a look at an output": ["relaxed", (on) => on.completed({ key: "order-1", tool: "t" })],
    "a look at an entry": ["relaxed", (on) => on.entry("order-1")],
  };

  it.each(Object.entries(asks))("for %s", async (_, [durability, ask]) => {
    const seen = watchTransactions();
    await ask(operations());
    expect(seen.durabilities).toEqual([durability]);
  });
});
