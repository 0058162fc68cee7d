import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run, type Scenario, scenarios } from "./scenario.js";
import { cancelled, KEY } from "./tab.js";

/** Recovery has proved that an earlier owner's handler took no effect (contract, section 3). */
function provenUnapplied(scenario: Scenario): boolean {
  const { past, recover, journal, journalKey, earlierEntry, faults } = scenario;
  if (recover === "not applied") return true;
  const sharedJournal = journalKey === undefined || journalKey === `\n${KEY}`;
  const noEntry = !earlierEntry && !faults.includes("journal.read");
  return (
    recover === "nothing" && past === "in doubt" && journal !== "tab" && sharedJournal && noEntry
  );
}

const wrote = ({ write, faults }: Scenario) =>
  write !== "none" && !faults.includes("journal.write");

const threw = ({ execute, write, faults }: Scenario) =>
  execute === "throws" || (write === "awaited" && faults.includes("journal.write"));

type Outcome = Awaited<ReturnType<typeof run>>;

/** Whatever hooks answer, whenever the caller leaves, and whatever fails in storage. */
function always(check: (scenario: Scenario, outcome: Outcome) => void): Promise<void> {
  return fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => check(scenario, await run(scenario))),
    { numRuns: 500 },
  );
}

describe("whatever happens to a call", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockReturnValue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("its handler is entered at most once, and only for a fresh key or a proven non-execution", () =>
    always((scenario, { begun, entered }) => {
      expect(entered).toBeLessThanOrEqual(1);
      if (entered === 0) return;
      expect(["fresh", "in_flight"]).toContain(begun);
      expect(begun === "fresh" || provenUnapplied(scenario)).toBe(true);
      if (scenario.confirm !== "unasked") expect(scenario.confirm).toBe("yes");
    }));

  it("its claim is settled exactly once, unless every attempt to settle it failed", () =>
    always((_, { begun, settlements, record }) => {
      if (begun === undefined || begun === "completed") {
        expect(settlements).toEqual([]);
        return;
      }
      const done = settlements.filter((settlement) => settlement.done);
      expect(settlements.length).toBeGreaterThan(0);
      expect(done.length).toBeLessThanOrEqual(1);
      if (done.length === 1) expect(settlements.at(-1)?.done).toBe(true);
      if (record?.state === "claimed") expect(done).toEqual([]);
    }));

  it("an output that verify refused is never completed", () =>
    always(({ verify, past }, { settlements, record }) => {
      if (verify !== "no" && verify !== "throws") return;
      expect(settlements.map(({ method }) => method)).not.toContain("complete");
      if (record?.state === "completed" && past !== "completed")
        expect(record.value).toBe("theirs");
    }));

  it("its key goes free only when nothing can have happened", () =>
    always((scenario, { begun, entered, settlements }) => {
      if (!settlements.some(({ method, done }) => done && method === "release")) return;
      if (entered === 0) {
        expect(begun === "fresh" || provenUnapplied(scenario)).toBe(true);
      } else if (scenario.recover !== "not applied") {
        expect({ threw: threw(scenario), wrote: wrote(scenario) }).toEqual({
          threw: true,
          wrote: false,
        });
      }
    }));

  it("an effect that is finished and verified is answered, not rewritten as a failure", () =>
    always((scenario, { entered, ended }) => {
      const { execute, verify } = scenario;
      if (entered === 0 || threw(scenario) || execute !== "returns") return;
      if (verify === "no" || verify === "throws") return;
      const theirs = scenario.meanwhile === "completed elsewhere";
      if ("value" in ended && theirs && ended.value === "theirs") return;
      expect(ended).toEqual({ value: cancelled });
    }));
});
