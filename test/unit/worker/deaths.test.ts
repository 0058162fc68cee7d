import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { answerTo, claim, intended, queued, type Tab, World, waitFor } from "./world.js";

let world: World;
let coordinator: Coordinator;
let owner: Tab;
let other: Tab;

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  owner = await world.tab("owner");
  other = await world.tab("other");
});

afterEach(() => void vi.restoreAllMocks());

describe("an owner's death", () => {
  it("after it had started leaves doubt, which the first waiter takes over", async () => {
    await claim(coordinator, owner.asks("a"));
    await queued(coordinator, other.asks("b"));
    await queued(coordinator, other.asks("c"));
    owner.die();
    expect(await waitFor(coordinator, "b")).toMatchObject({ takeover: true, phase: "started" });
    expect(await world.record()).toMatchObject({ call: "b", takeover: true });
  });

  it("before it had started frees the key for the first waiter", async () => {
    await claim(coordinator, owner.asks("a", { reserve: true }));
    await queued(coordinator, other.asks("b"));
    owner.die();
    expect(await waitFor(coordinator, "b")).toMatchObject({ takeover: false, phase: "reserved" });
  });

  it("is noticed though nobody waits, and the next to ask takes over", async () => {
    await claim(coordinator, owner.asks("a"));
    const announced = new Promise((heard) => {
      world.channels.open().addEventListener("message", heard);
    });
    owner.die();
    await announced;
    expect(await world.record()).toMatchObject({ state: "in_doubt" });
    expect(await answerTo(coordinator, other.asks("b"))).toMatchObject({ takeover: true });
  });

  it("between its reservation and its start refuses the start", async () => {
    const ref = await claim(coordinator, owner.asks("a", { reserve: true }));
    await queued(coordinator, other.asks("b"));
    owner.die();
    await waitFor(coordinator, "b");
    expect(await coordinator.start(ref, { fresh: false })).toEqual({ state: "lost" });
    expect(await world.record()).toMatchObject({ call: "b" });
  });

  it("in a takeover leaves doubt again, with what was known of the first owner", async () => {
    const ref = await claim(coordinator, owner.asks("a"));
    await coordinator.abandon(ref, { executed: true });
    expect(await coordinator.begin(owner.asks("b"))).toMatchObject({ takeover: true });
    owner.die();
    expect(await answerTo(coordinator, other.asks("c"))).toMatchObject({
      takeover: true,
      executed: true,
    });
  });

  it("ends all of its claims (C045, powersync-ja/sqlite_async.dart#98)", async () => {
    const keys = ["order-1", "order-2", "order-3"];
    for (const key of keys) await claim(coordinator, owner.asks(key, { key }));
    for (const key of keys) await queued(coordinator, other.asks(`other ${key}`, { key }));
    owner.die();
    const answers = keys.map((key) => waitFor(coordinator, `other ${key}`));
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ takeover: true });
  });

  it("does not touch what it had settled", async () => {
    const done = await claim(coordinator, owner.asks("a"));
    await coordinator.complete(intended(done), 1);
    const released = await claim(coordinator, owner.asks("b", { key: "order-2" }));
    await coordinator.release(released);
    await claim(coordinator, other.asks("c", { key: "order-2" }));
    owner.die();
    // A later death of the same kind has been applied when this is answered.
    await dies(await world.tab("witness"));
    expect(await world.record()).toMatchObject({ state: "completed", output: 1 });
    expect(await world.record("order-2")).toMatchObject({ state: "claimed", call: "c" });
  });

  it("of a tab that has settled everything is no death: nothing is left to bury", async () => {
    const ref = await claim(coordinator, owner.asks("a"));
    await coordinator.complete(intended(ref), 1);
    const { transactions } = world;
    owner.rest();
    await world.locks.request("shop:client:owner", () => {});
    expect(world.transactions).toBe(transactions);
    expect(await coordinator.begin(other.asks("b"))).toMatchObject({ state: "completed" });
  });

  it("that nobody saw, before this worker ran, is noticed by the first who meets its claim", async () => {
    await claim(coordinator, owner.asks("a"));
    owner.die();
    const later = world.coordinator();
    expect(await answerTo(later, other.asks("b"))).toMatchObject({ takeover: true });
  });

  it("is noticed by its lock, though its claim is stamped a year ahead of the clock (C142, moxystudio/node-proper-lockfile#109)", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 365 * 24 * 3_600_000 });
    await claim(coordinator, owner.asks("a"));
    vi.useRealTimers();
    await queued(coordinator, other.asks("b"));
    owner.die();
    expect(await waitFor(coordinator, "b")).toMatchObject({ takeover: true });
  });

  it("is not concluded from a browser that can't tell: the owner keeps its claim (C075, firebase/firebase-js-sdk#10181)", async () => {
    const ref = await claim(coordinator, owner.asks("a"));
    const denied = new DOMException("", "AbortError");
    const request = vi.spyOn(world.locks, "request").mockRejectedValue(denied);
    const later = world.coordinator();
    await queued(later, other.asks("b"));
    expect(request).toHaveBeenCalled();
    expect(await world.record()).toMatchObject({ call: "a", state: "claimed" });
    vi.restoreAllMocks();
    expect(await later.complete(intended(ref), "output")).toEqual({ state: "settled" });
    expect(await waitFor(later, "b")).toMatchObject({ state: "completed", output: "output" });
  });

  it("is noticed for a claim that was made after an earlier death under another lock", async () => {
    await claim(coordinator, owner.asks("a"));
    owner.die();
    const taken = await answerTo(coordinator, other.asks("b"));
    expect(taken).toMatchObject({ takeover: true });
    other.die();
    const third = await world.tab("third");
    expect(await answerTo(coordinator, third.asks("c"))).toMatchObject({ takeover: true });
  });

  it("can't be missed: its lock is asked for before its claim is decided", async () => {
    const resume = world.pause();
    const first = coordinator.begin(owner.asks("a"));
    expect((await world.locks.query()).pending).toEqual([
      { name: "shop:client:owner", mode: "shared" },
    ]);
    resume();
    await first;
  });

  it("is noticed though the browser refused the first request for its lock", async () => {
    vi.spyOn(world.locks, "request").mockRejectedValueOnce(new DOMException("", "AbortError"));
    await claim(coordinator, owner.asks("a"));
    owner.die();
    expect(await answerTo(coordinator, other.asks("b"))).toMatchObject({ takeover: true });
  });

  it("is no secret of a coordinator that hangs: the lock goes back before the burial", async () => {
    await claim(coordinator, owner.asks("a"));
    const resume = world.pause();
    await dies(owner);
    expect((await world.locks.query()).held.map(({ name }) => name)).toEqual(["shop:client:other"]);
    resume();
    expect(await answerTo(coordinator, other.asks("b"))).toMatchObject({ takeover: true });
  });

  it("is noticed by two coordinators and applied once", async () => {
    await claim(coordinator, owner.asks("a"));
    const second = world.coordinator();
    await queued(second, other.asks("b"));
    await queued(coordinator, other.asks("c"));
    owner.die();
    const winner = await Promise.race([
      waitFor(second, "b").then((answer) => ({ call: "b", answer })),
      waitFor(coordinator, "c").then((answer) => ({ call: "c", answer })),
    ]);
    expect(winner.answer).toMatchObject({ state: "granted", takeover: true });
    expect(await world.record()).toMatchObject({ state: "claimed", call: winner.call });
  });
});

describe("a caller's death", () => {
  it("takes it out of the queue, and the next gets the key", async () => {
    const ref = await claim(coordinator, owner.asks("a"));
    await queued(coordinator, other.asks("b"));
    await queued(coordinator, owner.asks("c"));
    const dropped = waitFor(coordinator, "b");
    other.die();
    expect(await dropped).toEqual({ state: "dropped" });
    await coordinator.release(ref);
    expect(await waitFor(coordinator, "c")).toMatchObject({ state: "granted", takeover: false });
  });

  it("before it asked, or a lock that it never had, gives it no lasting claim", async () => {
    other.die();
    const first = await coordinator.begin(other.asks("b"));
    expect(["dropped", "granted"]).toContain(first.state);
    const answer = await answerTo(coordinator, owner.asks("a"));
    expect(answer.state).toBe("granted");
    expect(await world.record()).toMatchObject({ call: "a", owner: "owner" });
  });

  it("while its key is being claimed for it leaves the claim to the next (C044, powersync-ja/powersync.dart#425)", async () => {
    const resume = world.pause();
    const first = coordinator.begin(other.asks("b", { reserve: true }));
    other.die();
    await dies(await world.tab("witness"));
    resume();
    await first;
    expect(await answerTo(coordinator, owner.asks("a"))).toMatchObject({ takeover: false });
  });

  it("after it was granted what it waited for, and before it fetched it, frees the key", async () => {
    const ref = await claim(coordinator, owner.asks("a"));
    await queued(coordinator, other.asks("b"));
    await coordinator.release(ref);
    await queued(coordinator, owner.asks("c"));
    other.die();
    expect(await waitFor(coordinator, "c")).toMatchObject({ state: "granted", takeover: false });
    expect(await coordinator.wait("b")).toBeUndefined();
  });
});

/** Kills a tab, and waits until its lock was granted to somebody else. */
async function dies(tab: Tab): Promise<void> {
  tab.die();
  await world.locks.request(`shop:client:${tab.owner}`, () => {});
}
