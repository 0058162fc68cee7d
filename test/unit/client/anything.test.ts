import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stopTime } from "../../support/world/time.js";
import { type End, live } from "./life.js";
import { has, type Scenario, scenarios } from "./scenario.js";

beforeEach(() => {
  stopTime();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The failures that a scenario can explain. */
function expected(scenario: Scenario, { error }: { error: unknown }): boolean {
  const { code, name, message } = error as Error & { code?: unknown };
  const lost = has(scenario, "steal", "cache", "freeze", "return");
  switch (code) {
    case "confirmation_declined":
    case "verification_failed":
    case "operation_in_progress":
    case "outcome_unknown":
      return true;
    case "claim_lost":
      return lost;
    case "coordination_unavailable":
      return has(scenario, "disk is full");
  }
  if (name === "QuotaExceededError") return has(scenario, "disk is full");
  if (message === "This attempt is closed.") return lost;
  return ["before", "after", "The caller left."].includes(message);
}

const failed = (end: End): end is { readonly error: unknown } => "error" in end;

// The same scenarios each time, so that a red run is the change's fault: RUNS and SEED look further.
it("whatever dies, is lost or fails: one effect, equal answers, no call without an end, no lock left", async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      vi.clearAllTimers();
      const { world, ends, answers } = await live(scenario);
      for (const key of ["a", "b"] as const) {
        expect(answers[key]).toEqual({ receipt: `${key} 1` });
        expect(world.authority.effects(key)).toBe(1);
      }
      for (const [key, end] of ends) {
        if (failed(end)) expect([end.error, expected(scenario, end)]).toEqual([end.error, true]);
        else expect(end.value).toEqual({ receipt: `${key} 1` });
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 150), seed: Number(process.env.SEED ?? 1) },
  );
}, 600_000);
