import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Stage } from "../../src/index.js";
import { predict } from "./model.js";
import { ROWS, type Row } from "./rows.js";
import type { Scenario } from "./scenario.js";
import { scenarios } from "./scenarios.js";
import { Tally } from "./tally.js";
import { run } from "./world.js";

// Compiling the schema takes a hundred times as long as a call, and it is the same in all of them.
vi.mock("../../src/validation/ajv.js", async (original) => {
  const { compileWithAjv } = await original<typeof import("../../src/validation/ajv.js")>();
  let compiled: ReturnType<typeof compileWithAjv> | undefined;
  return {
    compileWithAjv: (schema: object) => {
      compiled ??= compileWithAjv(schema);
      return compiled;
    },
  };
});

/** Fewer runs say nothing about what is reached. */
const ENOUGH_RUNS = 10_000;
const OFTEN = 20;
const numRuns = Number(process.env.SIGNETT_RUNS ?? ENOUGH_RUNS);
const seed = process.env.SIGNETT_SEED ? Number(process.env.SIGNETT_SEED) : undefined;

const STAGES = {
  started: true,
  validated: true,
  authorized: true,
  confirmation_requested: true,
  confirmed: true,
  declined: true,
  waiting: true,
  claimed: true,
  replayed: true,
  recovered: true,
  executed: true,
  completed_after_abort: true,
  output_validated: true,
  output_oversized: true,
  output_unmeasurable: true,
  journal_unused: true,
  verified: true,
  result_not_stored: true,
  cleanup_failed: true,
  succeeded: true,
  failed: true,
  outcome_unknown: true,
} satisfies Record<CallStage, true>;
type CallStage = Exclude<
  Stage,
  "registering" | "registered" | "unsupported" | "registration_failed" | "unregistered"
>;

test("every call does and ends as the contract says, whatever its hooks, storage and caller do", {
  timeout: 300_000,
}, async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const rows = new Tally<Row>(ROWS);
  const stages = new Tally(Object.keys(STAGES));

  const agrees = fc.asyncProperty(scenarios, async (drawn) => {
    const { rows: met, reached, ...prediction } = predict(drawn);
    const outcome = await run(leavesOnlyWhereKnown(drawn, reached));
    expect(outcome).toEqual(prediction);
    rows.count(met);
    stages.count(outcome.stages);
  });
  // A call that never ends fails with its seed, too.
  await fc.assert(agrees, { numRuns, timeout: 5_000, ...(seed !== undefined && { seed }) });

  if (numRuns < ENOUGH_RUNS) return;
  expect(rows.rarerThan(OFTEN)).toEqual({});
  expect(stages.rarerThan(OFTEN)).toEqual({});
});

/** A runtime that reads its journal without need changes nothing; a caller who would leave then stays. */
const leavesOnlyWhereKnown = (scenario: Scenario, reached: ReadonlySet<string>): Scenario =>
  scenario.leaves === "journal.read" && !reached.has("journal.read")
    ? { ...scenario, leaves: "never" }
    : scenario;
