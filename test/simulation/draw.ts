import { Random } from "../../src/testing/profile/random.js";
import { administered } from "./draw-administration.js";
import { EPISODES } from "./episodes.js";
import type { AdministrationStep, CallStep, Happening, Plan, Step } from "./plan.js";

const SCRIPTS: readonly Plan["scripts"][] = [
  ["a"],
  ["a"],
  ["a"],
  ["a", "b"],
  ["a", "b"],
  ["a", null],
  [null],
];

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  // The schedule draws from the seed itself.
  const random = new Random(seed ^ 0x5bd1e995);
  const tabs = 2 + random.below(3);
  const steps = random.chance(0.1)
    ? [
        ...drawn(random, tabs, { mood: calmly, count: random.below(3) }),
        ...random.pick(EPISODES)(random, tabs),
        ...drawn(random, tabs, { mood: wildly, count: random.below(4) }),
      ]
    : drawn(random, tabs, { mood: random.pick(MOODS), count: 4 + random.below(12) });
  return administered({
    seed,
    tabs,
    scripts: random.pick(SCRIPTS),
    hang: random.pick(["for a while", "for ever"]),
    steps,
  });
}

function drawn(
  random: Random,
  tabs: number,
  { mood, count }: { readonly mood: Mood; readonly count: number },
): Step[] {
  const draws = weighted(mood);
  return Array.from({ length: count }, () => ({
    ...random.pick(draws)(random, tabs),
    after: random.below(random.pick([4, 12, 40])),
  }));
}

type Draw = (random: Random, tabs: number) => Happening;
/** What is drawn, and how often. */
type Mood = readonly (readonly [number, Draw])[];

const callerLeaves: Draw = (random) => ({ do: "caller leaves", call: random.below(8) });
const delay: Draw = (random) => ({
  do: "message is delayed",
  lane: random.below(32),
  steps: 10 + random.below(60),
});
const storageFails: Draw = (random) => ({
  do: "storage fails",
  moment: random.pick(["begin", "write", "commit"]),
  error: random.pick(["full", "closed", "broken"]),
  skip: random.below(4),
  times: 1 + random.below(5),
});

function hastyCall(random: Random, tabs: number): CallStep {
  const journal = random.pick(["shared", "own"] as const);
  return { ...call(random, tabs), journal, handler: "throws when done, in haste" };
}

function call(random: Random, tabs: number): CallStep {
  return {
    do: "call",
    tab: random.below(tabs),
    key: random.chance(0.75) ? "a" : "b",
    intent: random.chance(0.95) ? "first" : "second",
    confirm: random.pick(["unasked", "unasked", "unasked", "yes", "yes", "no"]),
    handler: random.pick([
      "returns",
      "returns",
      "returns",
      "returns",
      "throws first",
      "throws when written",
      "throws when done",
      "is refused",
      "returns no data",
    ]),
    journal: "shared",
    recover: random.pick(["asks", "asks", "asks", "asks", "absent", "unknown", "throws"]),
    verify: random.pick(["unasked", "unasked", "yes", "no"]),
    patienceMs: random.pick([1_000, 120_000, 120_000]),
    turns: random.below(7),
    handlerMs: random.pick([0, 0, 0, 0, 3_000, 15_000]),
  };
}

type InTab = Exclude<Extract<Happening, { readonly tab: number }>["do"], AdministrationStep["do"]>;
type Plain =
  | "worker is killed"
  | "worker is run again"
  | "power is cut"
  | "channel loses messages"
  | "channel works";

const tabIn =
  (what: Exclude<InTab, "call" | "tab is cached">): Draw =>
  (random, tabs) => ({ do: what, tab: random.below(tabs) });
const plainly =
  (what: Plain): Draw =>
  () => ({ do: what });

const peacefully: Mood = [
  [5, call],
  [2, hastyCall],
  [1, callerLeaves],
  [1, delay],
];

/** Handlers that don't wait for their journal, and workers that end before it is written. No tab dies. */
const hastily: Mood = [
  [4, hastyCall],
  [2, call],
  [3, plainly("worker is killed")],
  [3, plainly("worker is run again")],
  [3, delay],
];

/** Tabs that die with the only journal that says what they did. */
const alone: Mood = [
  [4, call],
  [8, (random, tabs) => ({ ...call(random, tabs), key: "a", journal: "own", recover: "asks" })],
  [2, tabIn("tab crashes")],
  [3, () => ({ do: "owner is reloaded", key: "a" })],
  [1, plainly("worker is killed")],
];

/** Handlers without a journal, whose outputs are not verified or not stored. No tab dies. */
const tracelessly: Mood = [
  [6, tracelessCall],
  [2, call],
  [1, callerLeaves],
  [1, plainly("worker is killed")],
  [1, delay],
  [2, storageFails],
];

function tracelessCall(random: Random, tabs: number): CallStep {
  const step = call(random, tabs);
  return { ...step, handler: "returns without a trace", verify: random.pick(["yes", "no", "no"]) };
}

const calmly: Mood = [
  [10, call],
  [2, callerLeaves],
  [4, tabIn("tab crashes")],
  [1, tabIn("tab is reloaded")],
  [1, (random) => ({ do: "time passes", ms: random.pick([100, 2_500, 10_000]) })],
];

const wildly: Mood = [
  ...calmly,
  [1, tabIn("profile is disposed")],
  [2, tabIn("tab freezes")],
  [2, tabIn("tab thaws")],
  [
    2,
    (random, tabs) => ({
      do: "tab is cached",
      tab: random.below(tabs),
      locks: random.pick(["kept", "taken"]),
    }),
  ],
  [2, tabIn("tab comes back")],
  [2, plainly("worker is killed")],
  [1, plainly("worker is run again")],
  [1, (random) => ({ do: "worker hangs", worker: random.below(2) })],
  [1, (random) => ({ do: "worker goes on", worker: random.below(2) })],
  [2, delay],
  [1, plainly("channel loses messages")],
  [1, plainly("channel works")],
  [3, storageFails],
  [1, plainly("power is cut")],
  [
    1,
    (random) => ({
      do: "clock jumps",
      ms: random.pick([-86_400_000, -10_000, 10_000, 31_536_000_000]),
    }),
  ],
];

/** Calls whose owners and coordinators die all the time. */
const deadly: Mood = [
  [4, call],
  [8, (random, tabs) => ({ ...call(random, tabs), key: "a", recover: "asks", handlerMs: 3_000 })],
  [1, tabIn("tab crashes")],
  [7, () => ({ do: "owner is reloaded", key: "a" })],
  [4, tabIn("tab is reloaded")],
  [3, plainly("worker is killed")],
  [3, plainly("worker is run again")],
];

/** Workers that hang until their tabs have gone to another one, and then go on with what they were asked before. */
const slowly: Mood = [
  [8, (random, tabs) => ({ ...call(random, tabs), handlerMs: 15_000 })],
  [4, (random) => ({ do: "worker hangs", worker: random.below(2) })],
  [3, (random) => ({ do: "worker goes on", worker: random.below(2) })],
  [6, () => ({ do: "time passes", ms: 10_000 })],
  [1, tabIn("tab crashes")],
];

/** Clocks that jump over what is kept for a day only. */
const overDays: Mood = [
  [8, call],
  [12, (random) => ({ do: "clock jumps", ms: random.pick(DAYS) })],
  [2, () => ({ do: "time passes", ms: 10_000 })],
  [1, tabIn("tab crashes")],
];
const DAYS = [172_800_000, 172_800_000, 31_536_000_000, -86_400_000] as const;

const MOODS = [
  peacefully,
  hastily,
  tracelessly,
  alone,
  calmly,
  slowly,
  ...[overDays, overDays],
  ...[deadly, deadly, deadly, deadly],
  ...[wildly, wildly, wildly],
] as const;

const weighted = (mood: Mood): Draw[] =>
  mood.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));
