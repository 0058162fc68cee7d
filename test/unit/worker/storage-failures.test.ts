import { beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { answerTo, claim, claimOf, intended, queued, type Tab, World, waitFor } from "./world.js";

const full = new DOMException("The disk is full.", "QuotaExceededError");

let world: World;
let coordinator: Coordinator;
let tab: Tab;

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  tab = await world.tab("tab");
});

describe("storage that fails", () => {
  it("rejects those who ask, with its own error, and forgets them", async () => {
    world.failure = full;
    const asked = [tab.asks("a"), tab.asks("b"), tab.asks("c", { key: "order-2" })];
    const outcomes = await Promise.allSettled(asked.map((each) => coordinator.begin(each)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: full });
    for (const { call } of asked) expect(await coordinator.wait(call)).toBeUndefined();
  });

  it("rejects those who wait, and later calls work (C073, firebase/firebase-js-sdk#2555)", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    await queued(coordinator, tab.asks("b"));
    const waiting = coordinator.wait("b");
    world.failure = full;
    await expect(coordinator.begin(tab.asks("c"))).rejects.toBe(full);
    await expect(waiting).rejects.toBe(full);
    expect(await coordinator.wait("b")).toBeUndefined();

    world.failure = undefined;
    await queued(coordinator, tab.asks("d"));
    await coordinator.complete(intended(ref), 1);
    expect(await waitFor(coordinator, "d")).toMatchObject({ state: "completed", output: 1 });
  });

  it("keeps its failure for a waiter that has not asked for its answer yet", async () => {
    await claim(coordinator, tab.asks("a"));
    await queued(coordinator, tab.asks("b"));
    world.failure = full;
    await expect(coordinator.begin(tab.asks("c"))).rejects.toBe(full);
    await expect(coordinator.wait("b")).rejects.toBe(full);
  });

  it("rejects a completion and leaves the claim open, so that it can be abandoned", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    await queued(coordinator, tab.asks("b"));
    world.failure = full;
    await expect(coordinator.complete(intended(ref), 1)).rejects.toBe(full);
    world.failure = undefined;
    expect(await coordinator.abandon(ref, { executed: true })).toEqual({ state: "settled" });
    expect(await waitFor(coordinator, "b")).toMatchObject({ takeover: true, executed: true });
  });

  it("while an owner is buried does not leave its key stuck for the next who asks", async () => {
    const dying = await world.tab("dying");
    await claim(coordinator, dying.asks("a"));
    world.failure = full;
    dying.die();
    await world.locks.request("shop:client:dying", () => {});
    await expect(coordinator.begin(tab.asks("b"))).rejects.toBe(full);
    world.failure = undefined;
    expect(await answerTo(coordinator, tab.asks("c"))).toMatchObject({ takeover: true });
  });

  it("for one key lets the others work", async () => {
    const uncloneable = () => {};
    const [bad, good] = [tab.asks("a"), tab.asks("b", { key: "order-2" })];
    const [first, second] = [await claim(coordinator, bad), await claim(coordinator, good)];
    const outcomes = await Promise.allSettled([
      coordinator.complete(intended(first), uncloneable),
      coordinator.complete(intended(second), 1),
    ]);
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { name: "DataCloneError" } },
      { status: "fulfilled", value: { state: "settled" } },
    ]);
  });
});

describe("what a tab reads from the records", () => {
  it("is the output of the same intent, and the journal entry while there is one", async () => {
    const asked = tab.asks("a");
    const ref = claimOf(asked, await answerTo(coordinator, asked));
    await coordinator.journal(ref, { entry: { receipt: 1 } });
    expect(await coordinator.entry("order-1")).toEqual({ entry: { receipt: 1 } });
    expect(await coordinator.completed(intended(ref))).toBeUndefined();
    await coordinator.complete(intended(ref), { receipt: 1 });
    expect(await coordinator.entry("order-1")).toBeUndefined();
    expect(await coordinator.completed(intended(ref))).toEqual({ output: { receipt: 1 } });
  });
});
