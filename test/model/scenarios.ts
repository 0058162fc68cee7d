import fc from "fast-check";
import type {
  Answer,
  Found,
  Handler,
  Idempotent,
  Overtaking,
  RecoverAnswer,
  Scenario,
} from "./scenario.js";
import { JOURNAL_METHODS, PLACES, STORE_METHODS } from "./scenario.js";

/** The usual value `weight` times as often as all others together, so that most calls get far. */
const mostly = <const Usual, const Other>(weight: number, usual: Usual, ...others: Other[]) =>
  fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const refusals = ["no", "no, with a reason", "throws", "hangs"] as const satisfies Answer[];
const hook = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("absent", "yes") },
  { weight: 1, arbitrary: fc.constantFrom(...refusals) },
);
const earlyHook = mostly<"absent" | "yes", Answer>(30, "absent", "yes", ...refusals);

const recoverAnswer = fc.constantFrom<RecoverAnswer>(
  "recovered",
  "recovered no data",
  "not applied",
  "not applied",
  "unknown",
  "not recovered",
  "not recovered",
  "not recovered",
  "throws",
  "hangs",
);

const inDoubt = fc.record({
  state: fc.constant("in doubt"),
  executed: mostly(3, false, true),
  named: mostly(2, "the same", "another", "none", "not remembered"),
});
const completed = fc.record({
  state: fc.constant("completed"),
  output: fc.constantFrom("data", "undefined", "unmeasurable"),
});
const found: fc.Arbitrary<Found> = fc.oneof(
  { weight: 11, arbitrary: fc.constant({ state: "absent" }) },
  { weight: 8, arbitrary: inDoubt },
  { weight: 2, arbitrary: completed },
  { weight: 1, arbitrary: fc.constant({ state: "another tool's" }) },
);

const storageFault = fc.constantFrom("refused", "unanswered");
const faults: fc.Arbitrary<Idempotent["faults"]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...STORE_METHODS, ...JOURNAL_METHODS), storageFault, {
      maxKeys: 3,
    }),
  },
);

const overtaking: fc.Arbitrary<Overtaking> = fc.record({
  at: fc.constantFrom(
    ...(["confirm", "start", "execute", "execute ends", "recover", "verify"] as const),
    ...(["complete", "release", "abandon", "journal.write", "journal.remove"] as const),
  ),
  completed: fc.boolean(),
  told: fc.boolean(),
});

const idempotent: fc.Arbitrary<Idempotent> = fc
  .record<Idempotent>({
    found,
    entryLeft: fc.boolean(),
    owner: mostly(12, "none", "settles", "never settles"),
    grantsToLeavers: fc.boolean(),
    store: mostly(3, "full", "plain"),
    journal: fc.constantFrom("joined", "profile", "tab"),
    key: mostly(40, "fine", "empty", "too long", "throws", "hangs"),
    journalKey: mostly(10, "absent", "fine", "fine", "fine", "empty", "throws", "hangs"),
    overtaken: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: overtaking },
    ),
    faults,
  })
  .map(possible);

/** A plain store tells nothing. A profile comes whole, keeps no entry without a record, and names its entries itself. */
function possible(tool: Idempotent): Idempotent {
  if (tool.journal === "joined") {
    const entryLeft = tool.entryLeft && tool.found.state === "in doubt";
    return { ...tool, store: "full", journalKey: "absent", entryLeft };
  }
  if (tool.store === "full" || !tool.overtaken) return tool;
  return { ...tool, overtaken: { ...tool.overtaken, told: false } };
}

const handler: fc.Arbitrary<Handler> = fc
  .record<Handler>({
    write: fc.constantFrom("none", "none", "awaited", "awaited", "not awaited"),
    removes: mostly(5, false, true),
    catches: fc.boolean(),
    ends: fc.constantFrom("returns data", "returns nothing", "returns no data", "throws", "throws"),
  })
  .map((steps) => (steps.write === "not awaited" ? { ...steps, removes: false } : steps));

const leaves: fc.Arbitrary<Scenario["leaves"]> = fc.oneof(
  { weight: 20, arbitrary: fc.constant("never") },
  { weight: 9, arbitrary: fc.constantFrom(...PLACES) },
  { weight: 8, arbitrary: fc.constantFrom("execute", "execute", "recover", "journal.read") },
  { weight: 1, arbitrary: fc.constant("before") },
);

/** Calls of all kinds, weighted so that every row of the failure table comes often. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record<Scenario>({
    input: mostly(50, "valid", "invalid"),
    context: mostly(30, "yes", "absent", "throws", "hangs"),
    authorize: earlyHook,
    confirm: hook,
    confirmMode: fc.constantFrom("effect-only", "effect-only", "a function", "always"),
    idempotent: fc.option(idempotent, { nil: undefined, freq: 12 }),
    handler,
    recover: fc.option(fc.tuple(recoverAnswer, recoverAnswer), { nil: "absent", freq: 4 }),
    verify: hook,
    budget: fc.constantFrom("none", "large", "small"),
    leaves,
  })
  .map((scenario) =>
    scenario.idempotent || scenario.confirmMode !== "effect-only"
      ? scenario
      : { ...scenario, confirmMode: "always" },
  );
