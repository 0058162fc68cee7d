import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { answerTo, claim, inTime, intended, queued, type Tab, World, waitFor } from "./world.js";

const MINUTE = 60_000;
const terms = { durability: "strict", completedMs: 60 * MINUTE, maxCompleted: 100 } as const;
const key = "order-1";

let world: World;
let coordinator: Coordinator;
/** That of another build's worker. */
let other: Coordinator;
let tab: Tab;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  world = new World();
  tab = await world.tab("tab");
  coordinator = await remembering();
  other = await remembering();
});
afterEach(() => void vi.useRealTimers());

const MEMORY = "shop:memory";
/** Several share the lock; this tells how many do. */
const sharing = async () => (await world.locks.query()).held.filter(({ name }) => name === MEMORY);

async function remembering(): Promise<Coordinator> {
  const before = (await sharing()).length;
  const made = world.coordinator({ remembers: true });
  made.joined(terms);
  await expect.poll(sharing).toHaveLength(before + 1);
  await rested();
  return made;
}

/** No transaction has begun for a while. */
async function rested(): Promise<void> {
  for (let seen = Number.NaN; seen !== world.transactions; ) {
    seen = world.transactions;
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  }
}

let calls = 0;
const ask = (on: Coordinator) => answerTo(on, tab.asks(`call ${++calls}`));

/** How many transactions a call takes, and what it is answered. */
async function costOf(on: Coordinator) {
  const { transactions } = world;
  const { state } = await ask(on);
  return { state, transactions: world.transactions - transactions };
}

async function complete(on: Coordinator, output: unknown = "done"): Promise<void> {
  const ref = await claim(on, tab.asks("a"));
  await on.complete(intended(ref), output, terms);
  vi.advanceTimersByTime(0);
  await rested();
}

describe("a replay", () => {
  it("of what the worker has stored or read takes no transaction", async () => {
    await complete(coordinator);
    expect(await costOf(coordinator)).toEqual({ state: "completed", transactions: 0 });
    expect(await costOf(other)).toEqual({ state: "completed", transactions: 1 });
    expect(await costOf(other)).toEqual({ state: "completed", transactions: 0 });
  });

  it("is the answer of all who wait for it, without another transaction", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    for (const call of ["b", "c"]) await queued(coordinator, tab.asks(call));
    const { transactions } = world;
    await coordinator.complete(intended(ref), "done", terms);
    for (const call of ["b", "c"]) {
      expect(await waitFor(coordinator, call)).toMatchObject({ output: "done" });
    }
    expect(world.transactions - transactions).toBe(1);
  });

  it("to another intent is a conflict, from memory too", async () => {
    await complete(coordinator);
    const asked = tab.asks("b", { tool: "refund_order" });
    expect(await coordinator.begin(asked)).toEqual({ state: "conflict", reason: "tool" });
  });

  it("ends with its retention, in memory too", async () => {
    await complete(coordinator);
    vi.setSystemTime(Date.now() + terms.completedMs);
    expect(await ask(coordinator)).toMatchObject({ state: "granted", takeover: false });
  });

  it("that no tab can read ends in memory too, so that the next call recovers", async () => {
    await complete(coordinator);
    await ask(other);
    const { fence } = (await ask(coordinator)) as { readonly fence: number };
    await other.unreadable(key, fence);
    vi.advanceTimersByTime(0);
    await rested();
    expect(await ask(coordinator)).toMatchObject({ state: "granted", takeover: true });
  });

  it("of a large output is read, and takes no memory", async () => {
    await complete(coordinator, "x".repeat(5_000));
    for (let i = 0; i < 2; i++) {
      expect(await costOf(coordinator)).toEqual({ state: "completed", transactions: 1 });
    }
  });
});

describe("a purge", () => {
  const purge = (on: Coordinator) => on.reviewer.purge({ key }, { inDoubt: false });

  it("is not overtaken by any worker's memory", async () => {
    await complete(coordinator);
    await ask(other);
    expect(await purge(other)).toMatchObject({ purged: 1 });
    for (const each of [coordinator, other]) {
      const answer = await inTime(each.begin(tab.asks(`${++calls}`)));
      expect(answer.state).not.toBe("completed");
    }
  });

  it("is not overtaken by a record that was read before it", async () => {
    await complete(other);
    const resume = world.pause();
    const reading = ask(coordinator);
    const purging = purge(other);
    resume();
    await reading;
    await purging;
    const answer = await coordinator.begin(tab.asks("later"));
    expect(answer.state).not.toBe("completed");
  });

  it("fails where a worker hangs that may remember: nobody can say what that worker will answer", async () => {
    await complete(coordinator);
    world.channels.dropping = true;
    const refused = expect(purge(other)).rejects.toMatchObject({ name: "TimeoutError" });
    await rested();
    vi.advanceTimersByTime(5_000);
    await refused;
    expect(await world.record()).toMatchObject({ state: "completed" });
  });

  it("in a page without a worker asks the workers to forget", async () => {
    await complete(coordinator);
    const local = world.coordinator();
    expect(await purge(local)).toMatchObject({ purged: 1 });
    expect(await coordinator.begin(tab.asks("later"))).toMatchObject({ state: "granted" });
  });
});

describe("the memory", () => {
  it("is given up when a page is cached, for the worker may be stopped with it", async () => {
    await complete(coordinator);
    coordinator.freeze([]);
    await expect.poll(sharing).toHaveLength(1);
    expect(await costOf(coordinator)).toEqual({ state: "completed", transactions: 1 });
  });

  it("is used again some time after a purge", async () => {
    await complete(coordinator);
    await other.reviewer.purge({ key: "another" }, { inDoubt: false });
    expect(await costOf(coordinator)).toMatchObject({ transactions: 1 });
    vi.advanceTimersByTime(1_000);
    await costOf(coordinator);
    await expect.poll(sharing).toHaveLength(1);
    await costOf(coordinator);
    expect(await costOf(coordinator)).toEqual({ state: "completed", transactions: 0 });
  });

  it("is let go by whoever closes", async () => {
    coordinator.close();
    other.close();
    await expect.poll(sharing).toEqual([]);
  });
});
