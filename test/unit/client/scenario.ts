import fc from "fast-check";

/** One call and how its tool behaves. */
export interface CallStep {
  readonly do: "call";
  readonly tab: number;
  readonly key: "a" | "b";
  readonly confirm: "unasked" | "yes" | "no";
  readonly handler: "returns" | "throws before its effect" | "throws after its effect";
  readonly recover: boolean;
  readonly verify: "unasked" | "yes" | "no";
  readonly patient: boolean;
  /** How many tasks each of its hooks takes. */
  readonly pace: number;
}

/** What happens next. Tabs and calls are named by number, and one that is not there is passed over. */
type Happening =
  | CallStep
  | { readonly do: "leave"; readonly call: number }
  | { readonly do: "crash" | "steal" | "cache" | "freeze" | "return"; readonly tab: number }
  | {
      readonly do: "kill worker" | "rerun worker" | "wedge worker" | "wake worker" | "time passes";
    }
  | { readonly do: "disk is full"; readonly writes: number }
  | Forgetting;

/** What takes answers away from later calls. */
type Forgetting =
  | {
      readonly do: "purge";
      readonly tab: number;
      readonly key: CallStep["key"];
      readonly inDoubt: boolean;
    }
  | { readonly do: "review"; readonly tab: number; readonly key: CallStep["key"] }
  | { readonly do: "answers expire" };

export type Step = Happening & {
  /** How many tasks run before it. */
  readonly after: number;
};

/** A life of a browser profile. */
export interface Scenario {
  readonly tabs: number;
  /** How many of them have no worker and coordinate themselves. */
  readonly local: number;
  /** How many tasks messages take, over and over. */
  readonly delays: readonly number[];
  readonly steps: readonly Step[];
}

const tab = fc.nat(3);
const call: fc.Arbitrary<CallStep> = fc.record({
  do: fc.constant("call"),
  tab,
  key: fc.constantFrom("a", "b"),
  confirm: fc.constantFrom("unasked", "unasked", "yes", "yes", "no"),
  handler: fc.constantFrom(
    "returns",
    "returns",
    "throws before its effect",
    "throws after its effect",
  ),
  recover: fc.constantFrom(true, true, true, false),
  verify: fc.constantFrom("unasked", "yes", "yes", "no"),
  patient: fc.constantFrom(true, true, false),
  pace: fc.nat(12),
});

const happenings: readonly fc.WeightedArbitrary<Happening>[] = [
  { weight: 10, arbitrary: call },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave"), call: fc.nat(8) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("crash", "steal", "cache", "freeze", "return"),
      tab,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("kill worker", "rerun worker", "time passes") }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("wedge worker", "wake worker") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("disk is full"),
      writes: fc.integer({ min: 1, max: 6 }),
    }),
  },
];

const key = fc.constantFrom("a", "b");
const forgettings: readonly fc.WeightedArbitrary<Forgetting>[] = [
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("purge"), tab, key, inDoubt: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("review"), tab, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("answers expire") }) },
];

function scenariosOf(...steps: readonly fc.WeightedArbitrary<Happening>[]): fc.Arbitrary<Scenario> {
  const step: fc.Arbitrary<Step> = fc
    .tuple(fc.oneof(...steps), fc.nat(30))
    .map(([what, after]) => ({ ...what, after }));
  return fc.record({
    tabs: fc.integer({ min: 2, max: 4 }),
    local: fc.constantFrom(0, 0, 1, 2),
    delays: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 7 }),
    steps: fc.array(step, { minLength: 4, maxLength: 20 }),
  });
}

/** Lives in which every answer is kept. */
export const scenarios = scenariosOf(...happenings);

/** Lives in which answers are purged, reviewed and expire, too. */
export const forgetfulScenarios = scenariosOf(...happenings, ...forgettings);

/** The scenario has a step of one of these kinds. */
export const has = ({ steps }: Scenario, ...kinds: readonly Step["do"][]): boolean =>
  steps.some((step) => kinds.includes(step.do));
