import { Random } from "../../src/testing/profile/random.js";
import {
  type AdministrationStep,
  CALM_CALL,
  type CallStep,
  type Connecting,
  type Happening,
  type Plan,
  type Step,
} from "./plan.js";

const DEFAULT: Connecting = {
  durability: "strict",
  completedMs: 86_400_000,
  maxCompleted: 10_000,
  codec: "none",
};

/** Longer than most clocks jump, and for one output only. */
const LONG: Connecting = { ...DEFAULT, completedMs: 31_000_000_000, maxCompleted: 1 };

/**
 * Adds to a plan what is asked about the operations as a whole, and on what terms its tabs connect. Nothing of it is drawn from the
 * numbers that the plan was drawn from, and a part of the plans is left as it is.
 */
export function administered(plan: Omit<Plan, "profiles">): Plan {
  const random = Random.named(plan.seed, "administration");
  const kind = random.pick(KINDS);
  const otherwise = random.chance(kind === "story" ? 0.7 : 0.4);
  const profiles = otherwise ? profilesOf(random, plan.tabs) : [DEFAULT];
  const steps = stepsOf(kind, random, plan);
  const coded = profiles.some(({ codec }) => codec !== "none");
  return {
    ...plan,
    profiles,
    steps: coded ? steps.map((step) => readable(random, step)) : steps,
  };
}

const KINDS = [
  ...(["as drawn", "as drawn", "as drawn", "as drawn"] as const),
  ...(["with inquiries", "with inquiries", "with inquiries", "with inquiries"] as const),
  ...(["story", "story", "over months"] as const),
] as const;

function stepsOf(
  kind: (typeof KINDS)[number],
  random: Random,
  plan: Pick<Plan, "tabs" | "steps">,
): readonly Step[] {
  switch (kind) {
    case "as drawn":
      return plan.steps;
    case "with inquiries":
      return withInquiries(random, plan);
    case "story":
      return random.pick(STORIES)(random, plan.tabs);
    case "over months":
      return Array.from({ length: 6 + random.below(10) }, () => ({
        ...random.pick(OVER_MONTHS)(random, plan.tabs),
        after: random.below(60),
      }));
    default:
      return kind satisfies never;
  }
}

function profilesOf(random: Random, tabs: number): Connecting[] {
  const durability = random.pick(["strict", "relaxed", "relaxed"] as const);
  const terms = random.pick([
    { ...DEFAULT, durability },
    { ...DEFAULT, durability, completedMs: 5_000 },
    { ...DEFAULT, durability, completedMs: 90_000 },
    ...[LONG, LONG, LONG, LONG].map((terms) => ({ ...terms, durability })),
  ]);
  if (random.chance(0.5)) return [terms];
  return Array.from({ length: tabs }, (_, tab) => ({
    ...terms,
    codec: tab > 0 && random.chance(0.3) ? "lost" : "own",
  }));
}

/** An output that a tab can't read has no entry any more: only the authority can tell it, by the key. */
function readable(random: Random, step: Step): Step {
  if (step.do !== "call" || step.recover !== "asks") return step;
  const recover: CallStep["recover"] = random.chance(0.7) ? "asks by key" : "asks";
  return { ...step, recover };
}

function withInquiries(random: Random, { tabs, steps }: Pick<Plan, "tabs" | "steps">): Step[] {
  const all = [...steps];
  const count = 1 + random.below(6);
  for (let i = 0; i < count; i++) {
    const step = { ...random.pick(INQUIRIES)(random, tabs), after: random.below(20) };
    all.splice(random.below(all.length + 1), 0, step);
  }
  return all;
}

type Draw<Drawn> = (random: Random, tabs: number) => Drawn;

const call: Draw<CallStep> = (random, tabs) => ({
  ...CALM_CALL,
  tab: random.below(tabs),
  key: random.pick(["a", "b"]),
  intent: "first",
  ...random.pick([
    {},
    {},
    { handler: "throws when written", recover: "unknown" },
    { handler: "throws when done", recover: "unknown" },
    { verify: "no" },
  ] as const),
});

const purge: Draw<AdministrationStep> = (random, tabs) => ({
  do: "purge",
  tab: random.below(tabs),
  keys: random.pick(["a", "a", "b", "all", "all"]),
  inDoubt: random.chance(0.4),
});

const review: Draw<AdministrationStep> = (random, tabs) => ({
  do: "review",
  tab: random.below(tabs),
  key: random.chance(0.75) ? "a" : "b",
  thinksMs: random.pick([0, 0, 0, 3_000]),
});

const look: Draw<AdministrationStep> = (random, tabs) => ({
  do: "look",
  tab: random.below(tabs),
  limit: random.pick([1, 100]),
});

const INQUIRIES: readonly Draw<AdministrationStep>[] = [
  ...[purge, purge, purge],
  ...[review, review, review],
  look,
];

/** Calls that leave answers and doubt, and much time in which they are looked after. */
const OVER_MONTHS: readonly Draw<Happening>[] = [
  ...[call, call, call, call, call],
  ...[purge, purge],
  ...[review, review, review],
  (random) => ({
    do: "clock jumps",
    ms: random.pick([70_000, 70_000, 172_800_000, 31_536_000_000]),
  }),
  (random) => ({ do: "clock jumps", ms: random.pick([70_000, 172_800_000]) }),
  () => ({ do: "worker is killed" }),
];

/** What nobody can decide but a reviewer. */
const undecided = (tab: number): CallStep => ({
  ...CALM_CALL,
  ...{ tab, key: "a", intent: "first", handler: "throws when written", recover: "unknown" },
});

const year: Happening = { do: "clock jumps", ms: 31_536_000_000 };

/** What hardly comes about by chance. */
const STORIES: readonly Draw<Step[]>[] = [
  /** A review is purged, or gets old. */
  (random, tabs) => [
    { ...undecided(random.below(tabs)), after: 0 },
    { do: "review", tab: random.below(tabs), key: "a", thinksMs: 0, after: 50 },
    ...random.pick<Step[]>([
      [{ do: "purge", tab: 0, keys: "a", inDoubt: false, after: 60 }],
      [
        { ...year, after: 60 },
        { do: "worker is killed", after: 0 },
        { ...call(random, tabs), key: "b", after: 0 },
      ],
    ]),
    { ...call(random, tabs), after: random.below(60) },
  ],
  /** The worker is lost with its answer to a review. */
  (random, tabs) => [
    { ...undecided(random.below(tabs)), after: 0 },
    { do: "review", tab: random.below(tabs), key: "a", thinksMs: 0, after: 50 },
    { do: "worker is killed", after: 8 + random.below(20) },
    { ...call(random, tabs), after: random.below(60) },
  ],
  /** Another worker knows the answer, and hears nothing of a purge. */
  (random, tabs) => [
    { ...call(random, tabs), ...{ tab: 0, key: "a" }, after: 0 },
    { ...call(random, tabs), ...{ tab: 1, key: "a" }, after: 60 },
    { do: "channel loses messages", after: 60 },
    { do: "purge", tab: 0, keys: "a", inDoubt: false, after: 0 },
    { ...call(random, tabs), ...{ tab: 1, key: "a" }, after: 20 + random.below(60) },
  ],
  /** An answer is purged that nobody can wait for any more. */
  (random, tabs) => [
    { ...call(random, tabs), key: "a", after: 0 },
    { do: "clock jumps", ms: 70_000, after: 60 },
    { do: "purge", tab: random.below(tabs), keys: "all", inDoubt: false, after: 0 },
    { ...call(random, tabs), after: random.below(60) },
  ],
  /** A purge gets old. */
  (random, tabs) => [
    { ...call(random, tabs), key: "a", after: 0 },
    { do: "purge", tab: random.below(tabs), keys: "a", inDoubt: false, after: 60 },
    { do: "clock jumps", ms: 70_000, after: 60 },
    { do: "worker is killed", after: 0 },
    { ...call(random, tabs), key: "b", after: 0 },
  ],
  /** There are more answers than are kept. */
  (random, tabs) => [
    { ...call(random, tabs), key: "a", after: 0 },
    { ...call(random, tabs), key: "b", after: 0 },
    { do: "clock jumps", ms: 70_000, after: 80 },
    { do: "worker is killed", after: 0 },
    { ...call(random, tabs), after: 0 },
  ],
];
