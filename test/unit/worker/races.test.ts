import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import type { Answer } from "../../../worker/protocol.js";
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

const MINUTE = 60_000;
const terms = { durability: "strict", completedMs: 60 * MINUTE, maxCompleted: 100 } as const;
const key = "order-1";

let world: World;
/** Has the tabs' calls. */
let coordinator: Coordinator;
/** Another worker of the profile, which forgets. */
let other: Coordinator;
let tab: Tab;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  world = new World();
  coordinator = world.coordinator();
  other = world.coordinator();
  tab = await world.tab("tab");
});
afterEach(() => void vi.useRealTimers());

const complete = async (ref: Awaited<ReturnType<typeof claim>>) =>
  coordinator.complete(intended(ref), "old", terms);
const purge = () => other.reviewer.purge({ key }, { inDoubt: false });
/** A worker starts, and sweeps; ends when it has. */
async function sweep(maxCompleted: number = terms.maxCompleted): Promise<void> {
  const { transactions } = world;
  other.joined({ ...terms, maxCompleted });
  await expect.poll(() => world.transactions).toBeGreaterThan(transactions);
  for (let seen = Number.NaN; seen !== world.transactions; ) {
    seen = world.transactions;
    await world.record("of another key, which is read after it");
    await nextTask();
  }
}

type Order = "call" | "other";

/** Which of a sweep's transactions takes what is too much, where nothing has expired: one looks, one counts. */
const TOO_MUCH = 3;

/** The second asks for its transaction while the first's runs, of several that matter: the `nth`. */
async function together<A, B>(
  order: Order,
  call: () => Promise<A>,
  forget: () => Promise<B>,
  nth = 1,
): Promise<[A, B]> {
  if (order === "call") {
    const calling = await begun(call);
    return Promise.all([calling.result, forget()]);
  }
  const forgetting = await begun(forget, nth);
  return Promise.all([call(), forgetting.result]);
}

/** Has asked for its transaction just now, so that nothing is committed yet. */
async function begun<T>(act: () => Promise<T>, nth = 1): Promise<{ readonly result: Promise<T> }> {
  const { transactions } = world;
  const result = act();
  for (let i = 0; world.transactions < transactions + nth; i += 1) {
    if (i === 1_000) throw new Error("It asks for no transaction.");
    await nextTask();
  }
  return { result };
}

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** What a call gets that begins when all is over: never what was purged. */
const later = () => answerTo(coordinator, tab.asks("later"));

describe.each<Order>(["call", "other"])("at the same time, the %s first: a purge", (order) => {
  it("and a claim: the claim goes on, and what it stores is dropped if the purge has met it", async () => {
    const asked = tab.asks("a");
    const [answer, { live }] = await together(order, () => coordinator.begin(asked), purge);
    expect(await complete(claimOf(asked, answer))).toEqual({ state: "settled" });
    const met = live.includes(key);
    expect(met).toBe(order === "call");
    expect(await later()).toMatchObject({ state: met ? "granted" : "completed" });
  });

  it("and a completion: its tab is told that it is stored, and nobody gets it later", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    const [settled, report] = await together(order, () => complete(ref), purge);
    expect(settled).toEqual({ state: "settled" });
    expect(report.purged + report.live.length).toBe(1);
    expect(await later()).toMatchObject({ state: "granted", takeover: false });
  });

  it("and a replay: it gets the output or a claim of its own, and nobody gets the output later", async () => {
    await complete(await claim(coordinator, tab.asks("a")));
    const asked = tab.asks("b");
    const [answer, { purged }] = await together(order, () => coordinator.begin(asked), purge);
    expect(purged).toBe(1);
    const [now, last] = order === "call" ? ["completed", "granted"] : ["granted", "waiting"];
    expect(answer).toMatchObject({ state: now });
    expect(await inTime(coordinator.begin(tab.asks("later")))).toMatchObject({ state: last });
  });

  it("and the answer for who waits: it gets that answer or is told of the purge, and never runs", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    const waiting = await world.tab("waiting");
    await queued(coordinator, waiting.asks("b"));
    const settled = together(order, () => complete(ref), purge);
    expect(["completed", "purged"]).toContain((await waitFor(coordinator, "b")).state);
    await settled;
    expect(await later()).toMatchObject({ state: "granted", takeover: false });
  });
});

describe.each<Order>(["call", "other"])("at the same time, the %s first: a sweep", (order) => {
  it("and a claim of the key that has expired: the claim stays, and is completed", async () => {
    await complete(await claim(coordinator, tab.asks("a")));
    vi.advanceTimersByTime(terms.completedMs);
    const asked = tab.asks("b");
    const [answer] = await together(order, () => coordinator.begin(asked), sweep);
    const ref = claimOf(asked, answer);
    expect(await world.record()).toMatchObject({ state: "claimed", call: "b" });
    expect(await complete(ref)).toEqual({ state: "settled" });
    expect(await later()).toMatchObject({ state: "completed", output: "old" });
  });

  it("and a replay of what is not due: it is replayed, then and later", async () => {
    await complete(await claim(coordinator, tab.asks("a")));
    vi.advanceTimersByTime(terms.completedMs - 1);
    const replay = () => coordinator.begin(tab.asks("b"));
    const [answer] = await together(order, replay, sweep);
    for (const each of [answer, await later()]) expect(each).toMatchObject({ state: "completed" });
  });

  it("and a replay of what is too much: it gets the output, or a claim that no sweep takes", async () => {
    await complete(await claim(coordinator, tab.asks("a")));
    vi.advanceTimersByTime(2 * MINUTE);
    const replay = () => coordinator.begin(tab.asks("b"));
    const [answer] = await together(order, replay, () => sweep(0), TOO_MUCH);
    if (order === "call") {
      expect(answer).toMatchObject({ state: "completed", output: "old" });
      expect(await world.record()).toBeUndefined();
    } else {
      expect(answer).toMatchObject({ state: "granted", takeover: false });
      expect(await world.record()).toMatchObject({ state: "claimed", call: "b" });
    }
  });

  it("and the answer for who waits: it gets that answer, however short it is kept", async () => {
    const ref = await claim(coordinator, tab.asks("a"));
    const waiting = await world.tab("waiting");
    await queued(coordinator, waiting.asks("b"));
    const short = { ...terms, completedMs: 1 };
    const settle = () => coordinator.complete(intended(ref), "old", short);
    const settled = together(order, settle, () => sweep(0));
    vi.advanceTimersByTime(5);
    const answer: Answer = await waitFor(coordinator, "b");
    expect(answer).toMatchObject({ state: "completed", output: "old" });
    await settled;
  });
});

it("a call that is issued again behind a later claim is told of the purge before that: it may have waited for it", async () => {
  const ref = await claim(coordinator, tab.asks("a"));
  await coordinator.complete(intended(ref), 1, terms);
  await coordinator.reviewer.purge({ key: ref.key }, { inDoubt: false });
  const later = await claim(coordinator, tab.asks("b"));
  await queued(coordinator, tab.asks("again", { attempt: 1 }));
  await queued(coordinator, tab.asks("first"));
  const [again, first] = [waitFor(coordinator, "again"), waitFor(coordinator, "first")];
  await coordinator.release(later);
  expect(await again).toEqual({ state: "purged" });
  expect(await first).toMatchObject({ state: "granted", takeover: false });
});
