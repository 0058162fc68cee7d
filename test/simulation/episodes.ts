import type { Random } from "../../src/testing/profile/random.js";
import { CALM_CALL, type CallStep, type Step } from "./plan.js";

/** Steps that belong together: what hardly ever comes about by chance, but happens to users. */
export type Episode = (random: Random, tabs: number) => readonly Step[];

const calling = (tab: number, after: number, how: Partial<CallStep> = {}): Step => ({
  ...CALM_CALL,
  key: "a",
  intent: "first",
  ...how,
  tab,
  after,
});

/** A tab and another one. */
function twoOf(random: Random, tabs: number): readonly [number, number] {
  const one = random.below(tabs);
  return [one, (one + 1 + random.below(tabs - 1)) % tabs];
}

/** So long does it take a tab to notice that its worker hangs. */
const untilItIsNoticed: readonly Step[] = [12, 12, 12].map((after) => ({
  do: "time passes",
  ms: 10_000,
  after,
}));

/** A page loses its locks in the cache, in the middle of its handler, and comes back while another tab recovers it. */
const ownerComesBack: Episode = (random, tabs) => {
  const [owner, other] = twoOf(random, tabs);
  return [
    calling(owner, random.below(8), { handlerMs: 15_000 }),
    { do: "tab is cached", tab: owner, locks: "taken", after: 8 + random.below(24) },
    calling(other, random.below(8), { handlerMs: 3_000, turns: random.below(7) }),
    { do: "tab comes back", tab: owner, after: 8 + random.below(40) },
    calling(owner, random.below(12)),
  ];
};

/** A worker hangs with a call in its hands until its tab has gone to another one, and then goes on. */
const olderCopyComesLate: Episode = (random, tabs) => {
  const [one, other] = twoOf(random, tabs);
  const confirm = random.pick(["unasked", "yes"] as const);
  const handler = random.pick(["returns", "is refused"] as const);
  return [
    calling(one, random.below(8), { handlerMs: random.pick([0, 60_000]), handler, confirm }),
    calling(one, random.below(4), { key: "b", handlerMs: 15_000 }),
    { do: "worker hangs", worker: 0, after: random.below(20) },
    ...untilItIsNoticed,
    calling(other, random.below(8), { handlerMs: random.pick([0, 3_000]) }),
    { do: "worker goes on", worker: 0, after: random.below(60) },
    calling(other, 20 + random.below(20), { patienceMs: 1_000 }),
  ];
};

/** The same, with a key that is free again when the worker goes on, and a call of the tab that was made meanwhile. */
const olderCopyFindsFreeKey: Episode = (random, tabs) => {
  const tab = random.below(tabs);
  return [
    calling(tab, 0, { key: "b", handler: "throws first" }),
    { do: "worker hangs", worker: 0, after: 60 },
    calling(tab, random.below(12), { handler: "throws first" }),
    ...untilItIsNoticed,
    calling(tab, 12 + random.below(12), { key: "b", handlerMs: 100_000 }),
    { do: "worker goes on", worker: 0, after: 60 + random.below(60) },
  ];
};

/** Whoever waits for a key is gone when its owner frees it. */
const waiterDies: Episode = (random, tabs) => {
  const [owner, waiter] = twoOf(random, tabs);
  return [
    calling(owner, random.below(8), { handler: "throws when written", handlerMs: 15_000 }),
    calling(waiter, 8 + random.below(20)),
    calling(owner, random.below(8), { handlerMs: random.pick([0, 3_000]) }),
    { do: "tab crashes", tab: waiter, after: 8 + random.below(30) },
    { do: "time passes", ms: 15_000, after: 40 },
  ];
};

/** Recovery proves that nothing happened, and the person does not consent to another attempt. */
const consentIsRefused: Episode = (random, tabs) => {
  const [owner, other] = twoOf(random, tabs);
  return [
    calling(owner, 0, { handlerMs: 15_000 }),
    { do: "tab crashes", tab: owner, after: 20 + random.below(20) },
    calling(other, random.below(8), { confirm: "no", turns: random.below(7) }),
  ];
};

/** A worker ends with the answer to a call, while another tab waits for its key. */
const answerIsLost: Episode = (random, tabs) => {
  const [one, other] = twoOf(random, tabs);
  return [
    calling(one, random.below(8), { handlerMs: 3_000 }),
    calling(other, random.below(8), { handlerMs: 3_000 }),
    {
      do: random.pick(["worker is killed", "worker is run again"] as const),
      after: random.below(24),
    },
    {
      do: "message is delayed",
      lane: random.below(32),
      steps: 20 + random.below(60),
      after: random.below(8),
    },
    {
      do: random.pick(["worker is killed", "worker is run again"] as const),
      after: random.below(24),
    },
  ];
};

/** The worker of another build does not hear that a key was settled for which one of its tabs waits. */
const newsIsLost: Episode = (random, tabs) => {
  const [owner, waiter] = twoOf(random, tabs);
  return [
    { do: "channel loses messages", after: random.below(8) },
    calling(owner, random.below(4), { handlerMs: 15_000 }),
    calling(waiter, 20 + random.below(20)),
    { do: "time passes", ms: 10_000, after: 20 },
    { do: "time passes", ms: 10_000, after: 40 },
    { do: "channel works", after: 20 },
  ];
};

/** A worker hangs for which nobody has a request but those who wait for another tab. */
const workerHangsOnWaiters: Episode = (random, tabs) => {
  const [owner, waiter] = twoOf(random, tabs);
  return [
    calling(owner, random.below(8), { handlerMs: 60_000 }),
    calling(waiter, 10 + random.below(10)),
    { do: "time passes", ms: 2_500, after: 30 },
    { do: "worker hangs", worker: 0, after: random.below(8) },
    { do: "tab crashes", tab: owner, after: random.below(20) },
    { do: "time passes", ms: 10_000, after: 40 },
  ];
};

export const EPISODES: readonly Episode[] = [
  ownerComesBack,
  olderCopyComesLate,
  olderCopyFindsFreeKey,
  waiterDies,
  consentIsRefused,
  answerIsLost,
  newsIsLost,
  workerHangsOnWaiters,
];
