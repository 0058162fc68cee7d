import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OperationRecord } from "../../../stores/records.js";
import type { Coordinator } from "../../../worker/coordinator.js";
import { answerTo, claim, intended, queued, type Tab, World, waitFor } from "./world.js";

const MINUTE = 60_000;
const terms = { durability: "strict", completedMs: 60 * MINUTE, maxCompleted: 100 } as const;

let world: World;
let coordinator: Coordinator;
let tab: Tab;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  world = new World();
  coordinator = world.coordinator();
  tab = await world.tab("tab");
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function complete(key: string, over = {}): Promise<void> {
  const ref = await claim(coordinator, tab.asks(key, { key }));
  await coordinator.complete(intended(ref), `${key}'s output`, { ...terms, ...over });
}

/** The keys that have a record. */
async function stored(): Promise<string[]> {
  const { operations } = await world.coordinator().reviewer.list({
    ...{ state: undefined, prefix: "", limit: 1_000, cursor: undefined },
  });
  return operations.map(({ key }) => key);
}

const fullDisk = new DOMException("The disk is full.", "QuotaExceededError");

describe("an output", () => {
  it("is replayed as long as its tab's terms say, and then its key is free (C118, powertools-lambda-typescript source IdempotencyHandler.ts (1e5fe1b49))", async () => {
    await complete("k");
    vi.advanceTimersByTime(60 * MINUTE - 1);
    expect(await answerTo(coordinator, tab.asks("b", { key: "k" }))).toMatchObject({
      state: "completed",
    });
    vi.advanceTimersByTime(1);
    expect(await answerTo(coordinator, tab.asks("c", { key: "k" }))).toMatchObject({
      state: "granted",
      takeover: false,
    });
  });

  it("that expires at once still goes to those who waited for it (C126, margince/margince#423)", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    await queued(coordinator, tab.asks("b"));
    coordinator.joined({ ...terms, completedMs: 1, maxCompleted: 1 });
    const resume = world.pause();
    const completing = coordinator.complete(intended(ref), 7, { ...terms, completedMs: 1 });
    resume();
    await completing;
    vi.advanceTimersByTime(5);
    expect(await waitFor(coordinator, "b")).toMatchObject({ state: "completed", output: 7 });
  });
});

describe("a sweep", () => {
  it("removes what has expired when the first tab joins a worker", async () => {
    await complete("old");
    vi.advanceTimersByTime(60 * MINUTE);
    await complete("new");
    world.coordinator().joined(terms);
    await expect.poll(stored).toEqual(["new"]);
  });

  it("comes again while the worker lives, though no tab joins", async () => {
    coordinator.joined(terms);
    await complete("old");
    vi.advanceTimersByTime(50 * MINUTE);
    await expect.poll(stored).toEqual(["old"]);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(10 * MINUTE);
        return stored();
      })
      .toEqual([]);
  });

  it("takes many records in small transactions", async () => {
    const keys = Array.from({ length: 250 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => complete(key)));
    vi.advanceTimersByTime(60 * MINUTE);
    const { transactions } = world;
    world.coordinator().joined(terms);
    await expect.poll(stored).toEqual([]);
    // 100, 100, 50 and a last one that finds nothing; the looks of the test come on top.
    expect(world.transactions - transactions).toBeGreaterThanOrEqual(4);
  });

  it("keeps no more outputs than the newest tab's terms say, the last to expire", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    for (const key of keys) {
      await complete(key);
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(MINUTE);
    world.coordinator().joined({ ...terms, maxCompleted: 2 });
    await expect.poll(stored).toEqual(["d", "e"]);
  });

  it("comes when many more outputs were stored than may be kept", async () => {
    coordinator.joined({ ...terms, maxCompleted: 10 });
    const keys = Array.from({ length: 15 }, (_, i) => `k${String(i).padStart(2, "0")}`);
    for (const key of keys) await complete(key);
    vi.advanceTimersByTime(2 * MINUTE);
    for (const key of ["l1", "l2"]) await complete(key);
    await expect.poll(async () => (await stored()).length).toBeLessThanOrEqual(11);
    expect(await stored()).toContain("l2");
  });

  it("never takes doubt or a claim, though the clock jumps by years (C076, firebase/firebase-js-sdk#3852)", async () => {
    const doubtful = await claim(coordinator, tab.asks("a", { key: "doubt" }));
    await coordinator.abandon(doubtful, { executed: false });
    await claim(coordinator, tab.asks("b", { key: "open" }));
    await complete("done");
    vi.setSystemTime(Date.now() + 10 * 365 * 24 * 60 * MINUTE);
    world.coordinator().joined({ ...terms, maxCompleted: 1 });
    await expect.poll(stored).toEqual(["doubt", "open"]);
    vi.setSystemTime(0);
    const answer = await answerTo(coordinator, tab.asks("c", { key: "doubt" }));
    expect(answer).toMatchObject({ state: "granted", takeover: true });
    await queued(coordinator, tab.asks("d", { key: "open" }));
  });

  it("that fails takes nothing from anybody, and comes again", async () => {
    await complete("old");
    vi.advanceTimersByTime(60 * MINUTE);
    world.failure = fullDisk;
    coordinator.joined(terms);
    await expect(stored()).rejects.toBe(fullDisk);
    world.failure = undefined;
    expect(await stored()).toEqual(["old"]);
    vi.advanceTimersByTime(10 * MINUTE);
    await expect.poll(stored).toEqual([]);
  });
});

describe("a full disk", () => {
  /** Refuses what is stored while these records are there. */
  function fullWhile(key: string): void {
    world.refuses = async (rows) => {
      if (await rows.record(key)) throw fullDisk;
    };
  }

  it("is made room on before a call is refused", async () => {
    await complete("old");
    vi.advanceTimersByTime(60 * MINUTE);
    fullWhile("old");
    const answer = await answerTo(coordinator, tab.asks("b", { key: "new" }));
    expect(answer).toMatchObject({ state: "granted" });
  });

  it("refuses the call when nothing has expired: no answer is thrown away early", async () => {
    await complete("young");
    fullWhile("young");
    await expect(answerTo(coordinator, tab.asks("b", { key: "new" }))).rejects.toBe(fullDisk);
    world.refuses = undefined;
    expect(await stored()).toEqual(["young"]);
  });
});

describe("relaxed durability", () => {
  const relaxed = { durability: "relaxed" } as const;
  const durabilityOf = (act: () => Promise<unknown>) => {
    world.durabilities.length = 0;
    return act().then(() => [...world.durabilities]);
  };

  it("is for outputs that remove the claim's journal entry in the same transaction", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    await coordinator.journal(ref, { entry: 1 });
    const complete = () => coordinator.complete(intended(ref), 7, { ...terms, ...relaxed });
    expect(await durabilityOf(complete)).toEqual(["relaxed"]);
    expect(await coordinator.entry("order-1")).toBeUndefined();
  });

  it("is not for outputs whose entry others would miss: a power cut would make its absence a proof", async () => {
    const ref = await claim(coordinator, tab.asks("a", { journalKey: "orders" }));
    const complete = () => coordinator.complete(intended(ref), 7, { ...terms, ...relaxed });
    expect(await durabilityOf(complete)).toEqual(["relaxed", "strict"]);
    const { state } = (await world.record()) as OperationRecord;
    expect(state).toBe("completed");
  });

  it("is for outputs of owners without a journal that others read: an absent entry proves nothing there", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    const complete = () => coordinator.complete(intended(ref), 7, { ...terms, ...relaxed });
    expect(await durabilityOf(complete)).toEqual(["relaxed"]);
  });

  it("is for nothing else: claims, starts and entries are strict (C096, CherryHQ/cherry-studio#8737)", async () => {
    coordinator.joined({ ...terms, ...relaxed });
    await expect.poll(stored).toEqual([]);
    const claimed = async () => {
      const ref = await claim(coordinator, tab.asks("a", { reserve: true }));
      await coordinator.start(ref, { fresh: false });
      await coordinator.journal(ref, { entry: 1 });
      await coordinator.abandon(ref, { executed: true });
    };
    expect(new Set(await durabilityOf(claimed))).toEqual(new Set(["strict"]));
  });
});
