import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import {
  answerTo,
  claim,
  claimOf,
  inTime,
  intended,
  queued,
  type Tab,
  World,
  waitFor,
} from "./world.js";

const LOOK_AGAIN_MS = 2_000;

let world: World;
let one: Coordinator;
let two: Coordinator;
let tab: Tab;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  world = new World();
  one = world.coordinator();
  two = world.coordinator();
  tab = await world.tab("tab");
});
afterEach(() => void vi.useRealTimers());

describe("two coordinators of one profile", () => {
  it("give a key to one of two calls in the same tick (C064, pubkey/broadcast-channel#414; C127, paperclipai/paperclip#12127)", async () => {
    const asked = [one.begin(tab.asks("a")), two.begin(tab.asks("b"))];
    const answers = await inTime(Promise.all(asked));
    expect(answers.map(({ state }) => state).sort()).toEqual(["granted", "waiting"]);
  });

  it.each(["complete", "release", "abandon"] as const)(
    "tell each other when one of them has to %s",
    async (settlement) => {
      const ref = await claim(one, tab.asks("a"));
      await queued(two, tab.asks("b"));
      const answer = waitFor(two, "b");
      const expected = {
        complete: { state: "completed", output: 1 },
        release: { state: "granted", phase: "reserved", takeover: false },
        abandon: { state: "granted", phase: "started", takeover: true },
      }[settlement];
      if (settlement === "complete") await one.complete(intended(ref), 1);
      else if (settlement === "release") await one.release(ref);
      else await one.abandon(ref, { executed: false });
      tellNews();
      expect(await answer).toMatchObject(expected);
    },
  );

  it("tell each other of a death that only one of them has met", async () => {
    const dying = await world.tab("dying");
    const ref = await claim(one, dying.asks("a", { reserve: true }));
    const heirs = answerTo(two, tab.asks("b"));
    dying.die();
    const heir = claimOf(tab.asks("b"), await heirs);
    expect(heir.fence).toBeGreaterThan(ref.fence);
    tellNews();
    expect(world.channels.posted).toContainEqual({ settled: ["order-1"] });
  });

  it("converge without the channel, because waiters look again every two seconds (C053, dxos/dxos#12707)", async () => {
    world.channels.dropping = true;
    const ref = await claim(one, tab.asks("a"));
    await queued(two, tab.asks("b"));
    const answer = waitFor(two, "b");
    await one.complete(intended(ref), 1);
    const looked = world.transactions;
    vi.advanceTimersByTime(LOOK_AGAIN_MS - 1);
    expect(world.transactions).toBe(looked);
    vi.advanceTimersByTime(1);
    expect(await answer).toMatchObject({ state: "completed", output: 1 });
  });

  it("settle each other's claims: a tab that was moved to a new worker loses nothing", async () => {
    const ref = await claim(one, tab.asks("a"));
    await queued(one, tab.asks("b"));
    expect(await two.start(ref, { fresh: false })).toEqual({ state: "settled" });
    expect(await two.journal(ref, { entry: 1 })).toEqual({ state: "settled" });
    expect(await two.complete(intended(ref), 2)).toEqual({ state: "settled" });
    tellNews();
    expect(await waitFor(one, "b")).toMatchObject({ state: "completed", output: 2 });
  });

  it("pay no heed to what does not belong on their channel", async () => {
    const stranger = world.channels.open();
    await queuedBehind("a");
    const strange = [undefined, 7, "order-1", ["order-1"], { key: "order-1" }, { settled: [7] }];
    for (const message of [...strange, { settled: ["another key"] }]) {
      stranger.postMessage(message);
    }
    await settled();
    expect(await world.record()).toMatchObject({ call: "a" });
  });
});

describe("a coordinator at rest", () => {
  it("looks at nothing when nobody waits", async () => {
    await claim(one, tab.asks("a"));
    const { transactions } = world;
    vi.advanceTimersByTime(10 * LOOK_AGAIN_MS);
    expect(world.transactions).toBe(transactions);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops looking when its last waiter has left", async () => {
    await queuedBehind("a");
    expect(vi.getTimerCount()).toBe(1);
    one.leave("waiter");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has nothing left of a thousand calls, whatever became of them", async () => {
    const calls = Array.from({ length: 1_000 }, (_, i) => {
      const dead = i % 5 === 4;
      const owner = dead ? "gone" : "tab";
      return tab.asks(`${i}`, { key: `order-${i % 50}`, owner, reserve: i % 2 === 0 });
    });
    const states = await Promise.all(
      calls.map(async (asked, i) => {
        const first = await one.begin(asked);
        const waiting = first.state === "waiting" ? one.wait(asked.call) : first;
        if (i % 7 === 0) one.leave(asked.call);
        const answer = await waiting;
        if (answer?.state !== "granted" || asked.owner === "gone") return answer?.state;
        const ref = claimOf(asked, answer);
        if (i % 3 === 0) await one.release(ref);
        else if (i % 3 === 1) await one.abandon(ref, { executed: false });
        else await one.complete(intended(ref), i);
        return answer.state;
      }),
    );
    expect(new Set(states)).toEqual(new Set(["granted", "completed", "dropped"]));
    vi.advanceTimersByTime(20);
    expect(vi.getTimerCount()).toBe(0);
    // Only the living tab is still watched for its death, by one request.
    await settled();
    expect((await world.locks.query()).pending).toEqual([
      { name: "shop:client:tab", mode: "shared" },
    ]);
    tab.rest();
    await settled();
    expect(await world.locks.query()).toEqual({ held: [], pending: [] });
    for (const { call } of calls) expect(await one.wait(call)).toBeUndefined();
    const { transactions } = world;
    vi.advanceTimersByTime(10 * LOOK_AGAIN_MS);
    expect(world.transactions).toBe(transactions);
  }, 60_000);
});

/** What is settled together is told together, when its own callers have their answers. */
const tellNews = () => vi.advanceTimersByTime(0);

async function queuedBehind(owner: string): Promise<void> {
  await claim(one, tab.asks(owner));
  await queued(one, tab.asks("waiter"));
}

/** Everything that was under way has been done: a whole call on a key of its own has been made since. */
async function settled(): Promise<void> {
  const witness = await world.tab("witness");
  const ref = await claim(one, witness.asks("witness", { key: "witness" }));
  await one.release(ref);
  witness.rest();
  await world.locks.request("shop:client:witness", () => {});
}
