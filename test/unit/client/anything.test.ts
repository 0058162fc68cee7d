import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stopTime } from "../../support/world/time.js";
import { type End, live } from "./life.js";
import { forgetfulScenarios, has, type Scenario, scenarios } from "./scenario.js";

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
      // A record that a repeated settlement would find is swept when the clock jumps.
      return lost || has(scenario, "answers expire");
    case "operation_purged":
      return has(scenario, "purge");
    case "coordination_unavailable":
      return has(scenario, "disk is full");
  }
  if (name === "QuotaExceededError") return has(scenario, "disk is full");
  if (message === "This attempt is closed.") return lost;
  return ["before", "after", "The caller left."].includes(message);
}

/** What makes tabs issue their calls again. */
const connectionsAreLost = [
  "kill worker",
  "rerun worker",
  "wedge worker",
  "steal",
  "cache",
  "freeze",
  "return",
] as const;

const failed = (end: End): end is { readonly error: unknown } => "error" in end;

/** The failures of a purge or a review that a scenario can explain. */
function refused(scenario: Scenario, error: unknown): boolean {
  const { code, name } = error as Error & { code?: unknown };
  if (code === "operation_not_in_doubt") return true;
  const full = code === "coordination_unavailable" || name === "QuotaExceededError";
  return full && has(scenario, "disk is full");
}

// The same scenarios each time, so that a red run is the change's fault: RUNS and SEED look further.
const settings = { numRuns: Number(process.env.RUNS ?? 150), seed: Number(process.env.SEED ?? 1) };

it("whatever dies, is lost or fails: one effect, equal answers, no call without an end, no lock left", async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      vi.clearAllTimers();
      const { world, ends, answers } = await live(scenario);
      for (const key of ["a", "b"] as const) {
        for (const answer of answers[key]) expect(answer).toEqual({ receipt: `${key} 1` });
        expect(world.authority.effects(key)).toBe(1);
      }
      for (const { key, end } of ends) {
        if (failed(end)) expect([end.error, expected(scenario, end)]).toEqual([end.error, true]);
        else expect(end.value).toEqual({ receipt: `${key} 1` });
      }
    }),
    settings,
  );
}, 600_000);

it("whatever is purged, reviewed or expires besides: no answer that was gone, no effect that nothing has made room for", async () => {
  await fc.assert(
    fc.asyncProperty(forgetfulScenarios, async (scenario) => {
      vi.clearAllTimers();
      const { world, ends, gone, answers, reviews } = await live(scenario);
      for (const key of ["a", "b"] as const) {
        const [first, second] = answers[key];
        expect(second).toEqual(first);
        expect(reviews.isStale(first, gone)).toBe(false);
        expect(world.authority.effects(key)).toBeLessThanOrEqual(reviews.effectsAllowed(key));
      }
      const issuedAgain = has(scenario, ...connectionsAreLost);
      for (const { key, gone, end } of ends) {
        if (failed(end)) expect([end.error, expected(scenario, end)]).toEqual([end.error, true]);
        else {
          expect(end.value).toEqual({ receipt: expect.stringMatching(`^${key} \\d+$`) });
          const stale = reviews.isStale(end.value, gone, { issuedAgain });
          expect([end.value, stale]).toEqual([end.value, false]);
        }
      }
      for (const { tab, error } of reviews.all)
        if (error !== undefined && !tab.page.crashed)
          expect([error, refused(scenario, error)]).toEqual([error, true]);
    }),
    settings,
  );
}, 600_000);
