import { beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import type { ClaimRef } from "../../../worker/protocol.js";
import { claim, claimOf, intended, queued, type Tab, World, waitFor } from "./world.js";

let world: World;
let coordinator: Coordinator;
let tab: Tab;

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  tab = await world.tab("tab");
});

/** A key that is in use, and the calls that wait for it, first to last. */
async function inUse(...calls: string[]): Promise<ClaimRef> {
  const owner = await claim(coordinator, tab.asks("owner"));
  for (const call of calls) await queued(coordinator, tab.asks(call));
  return owner;
}

describe("a free key", () => {
  it("is started for the first who asks, in the write that claims it", async () => {
    expect(await coordinator.begin(tab.asks("a"))).toMatchObject({
      state: "granted",
      phase: "started",
      takeover: false,
    });
    expect(world.transactions).toBe(1);
  });

  it("is only reserved for a caller that wants to ask a person first", async () => {
    const asked = tab.asks("a", { reserve: true });
    const ref = claimOf(asked, await coordinator.begin(asked));
    expect(await world.record()).toMatchObject({ phase: "reserved" });
    expect(await coordinator.start(ref, { fresh: false })).toEqual({ state: "settled" });
    expect(await world.record()).toMatchObject({ phase: "started", fence: ref.fence });
  });

  it("goes to one of two calls in the same tick, and the other waits", async () => {
    const answers = await Promise.all([
      coordinator.begin(tab.asks("a")),
      coordinator.begin(tab.asks("b")),
    ]);
    expect(answers.map(({ state }) => state)).toEqual(["granted", "waiting"]);
  });

  it("does not wait for another one", async () => {
    await inUse("waiter");
    const other = await coordinator.begin(tab.asks("b", { key: "order-2" }));
    expect(other.state).toBe("granted");
  });
});

describe("an owner that is done in a moment", () => {
  const asks = (call: string) => coordinator.begin(tab.asks(call));

  it("leaves nobody to be told to wait: one answer is enough", async () => {
    const owner = await inUse();
    const answers = ["a", "b"].map(asks);
    await expect.poll(() => callers()).toBe(2);
    await coordinator.complete(intended(owner), { receipt: 1 });
    const completed = { state: "completed", output: { receipt: 1 } };
    expect(await Promise.all(answers)).toMatchObject([completed, completed]);
    expect(await coordinator.wait("a")).toBeUndefined();
  });

  it("leaves its key to the next only reserved, as to one that was told to wait", async () => {
    const owner = await inUse();
    const answer = asks("a");
    await expect.poll(() => callers()).toBe(1);
    await coordinator.release(owner);
    expect(await answer).toMatchObject({ state: "granted", phase: "reserved" });
  });

  it("is not waited for by a call that leaves meanwhile", async () => {
    await inUse();
    const answer = asks("a");
    await expect.poll(() => callers()).toBe(1);
    coordinator.leave("a");
    expect(await answer).toEqual({ state: "dropped" });
  });

  const callers = async () => {
    const { operations } = await coordinator.reviewer.list({
      ...{ state: undefined, prefix: "", limit: 1, cursor: undefined },
    });
    return operations[0]?.waiters;
  };
});

describe("the callers of a key that is in use", () => {
  it("all get its output when it completes (C114, aws-powertools/powertools-lambda-typescript#2309)", async () => {
    const owner = await inUse("a", "b");
    const waiting = ["a", "b"].map((call) => waitFor(coordinator, call));
    await coordinator.complete(intended(owner), { receipt: 1 });
    const replayed = { state: "completed", output: { receipt: 1 }, fence: owner.fence };
    expect(await Promise.all(waiting)).toEqual([replayed, replayed]);
    expect(await coordinator.begin(tab.asks("later"))).toEqual(replayed);
  });

  it("get it one after the other when each gives it back, first come, first served", async () => {
    let owner = await inUse("a", "b", "c");
    for (const call of ["a", "b", "c"]) {
      const answer = waitFor(coordinator, call);
      await coordinator.release(owner);
      expect(await answer).toMatchObject({ phase: "reserved", takeover: false });
      expect(await world.record()).toMatchObject({ call });
      owner = claimOf(tab.asks(call), await answer);
    }
  });

  it("come before a newcomer who asks while the key is being released", async () => {
    const owner = await inUse("a");
    const newcomer = Promise.all([
      coordinator.release(owner),
      coordinator.begin(tab.asks("newcomer")),
    ]);
    expect(await waitFor(coordinator, "a")).toMatchObject({ state: "granted" });
    const [, first] = await newcomer;
    expect(first).toEqual({ state: "waiting" });
  });

  it("get it one at a time as a takeover when an owner can't tell what happened", async () => {
    const owner = await inUse("a", "b");
    await coordinator.abandon(owner, { executed: true });
    const taken = await waitFor(coordinator, "a");
    expect(taken).toMatchObject({ phase: "started", takeover: true, executed: true });
    await coordinator.complete(intended(claimOf(tab.asks("a"), taken)), "recovered");
    expect(await waitFor(coordinator, "b")).toMatchObject({
      state: "completed",
      output: "recovered",
    });
  });

  it("are each compared with it: one with another intent conflicts and does not wait", async () => {
    await inUse("a");
    expect(await coordinator.begin(tab.asks("b", { fingerprint: "f" }))).toEqual({
      state: "conflict",
      reason: "fingerprint",
    });
    expect(await coordinator.begin(tab.asks("c", { tool: "refund_order" }))).toEqual({
      state: "conflict",
      reason: "tool",
    });
  });

  it("of different intents in one tick: the first decides what the key is for", async () => {
    const asked = ["f", "g"].map((fingerprint) => tab.asks(fingerprint, { fingerprint }));
    const answers = await Promise.all(asked.map((each) => coordinator.begin(each)));
    expect(answers).toMatchObject([
      { state: "granted" },
      { state: "conflict", reason: "fingerprint" },
    ]);
  });
});

describe("the answer for a call that waits", () => {
  it("can be asked for before it is there", async () => {
    const owner = await inUse("a");
    const answer = waitFor(coordinator, "a");
    await coordinator.complete(intended(owner), 1);
    expect(await answer).toMatchObject({ state: "completed", output: 1 });
  });

  it("is kept until it is asked for, once", async () => {
    const owner = await inUse("a");
    await coordinator.complete(intended(owner), 1);
    expect(await coordinator.begin(tab.asks("later"))).toMatchObject({ state: "completed" });
    expect(await coordinator.wait("a")).toMatchObject({ state: "completed", output: 1 });
    expect(await coordinator.wait("a")).toBeUndefined();
  });

  it("is not there for a call that nobody knows", async () => {
    expect(await coordinator.wait("never begun")).toBeUndefined();
  });
});

describe("a caller that leaves", () => {
  it("while it waits gets no claim, and disturbs neither the owner nor those behind it", async () => {
    const owner = await inUse("a", "b");
    const left = waitFor(coordinator, "a");
    coordinator.leave("a");
    expect(await left).toEqual({ state: "dropped" });
    expect(await world.record()).toMatchObject({ call: "owner" });
    await coordinator.release(owner);
    expect(await waitFor(coordinator, "b")).toMatchObject({ state: "granted" });
  });

  it("while it is being decided still hears of the claim that it got, to give it back", async () => {
    const resume = world.pause();
    const first = coordinator.begin(tab.asks("a"));
    coordinator.leave("a");
    resume();
    const ref = claimOf(tab.asks("a"), await first);
    expect(await coordinator.release(ref)).toEqual({ state: "settled" });
    expect(await world.record()).toBeUndefined();
  });

  it("while it is being decided is not queued when the key turns out to be in use", async () => {
    const owner = await inUse();
    const resume = world.pause();
    const first = coordinator.begin(tab.asks("a"));
    coordinator.leave("a");
    resume();
    expect(await first).toEqual({ state: "dropped" });
    await coordinator.release(owner);
    expect(await world.record()).toBeUndefined();
  });

  it("after its answer had come still finds it, so that a claim is given back", async () => {
    const owner = await inUse("a");
    await coordinator.release(owner);
    // The newcomer waits behind "a", so "a" has been given the key by now.
    await queued(coordinator, tab.asks("newcomer"));
    coordinator.leave("a");
    expect(await coordinator.wait("a")).toMatchObject({ state: "granted" });
  });

  it("before it fetches its answer is told that it was dropped, not that it is unknown", async () => {
    await inUse("a");
    coordinator.leave("a");
    expect(await coordinator.wait("a")).toEqual({ state: "dropped" });
  });

  it("and is unknown changes nothing", () => {
    expect(() => coordinator.leave("never begun")).not.toThrow();
  });
});
