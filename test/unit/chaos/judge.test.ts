import { describe, expect, test } from "vitest";
import type { Chronicle, MadeCall } from "../../../e2e/chaos/chronicle.js";
import { FAULTS, MINIMUM, type Occurrence } from "../../../e2e/chaos/faults.js";
import { judge } from "../../../e2e/chaos/judge.js";
import { isGood, reportOf } from "../../../e2e/chaos/report.js";

const orderId = "A-1001";
const at = "2026-01-01T00:00:00.000Z";
const output = { orderId, status: "cancelled", cancelledAt: at };
const answered = { status: "answered", via: "native", stages: ["executed"], output } as const;
const gone = { status: "gone", via: "native", stages: [] } as const;

const made = (call: Partial<MadeCall>): MadeCall => ({
  key: "k",
  orderId,
  document: 1,
  from: 0,
  to: 100,
  end: answered,
  last: false,
  ...call,
});
const effect = (id: number, operationKey = "k") => ({ id, operationKey, orderId, at });

/** As many faults of each kind as a run needs. */
const enough: readonly Occurrence[] = FAULTS.flatMap((fault) =>
  Array.from({ length: MINIMUM }, () => ({ fault, from: 0, to: 0 })),
);

const run = (chronicle: Partial<Chronicle>): Chronicle => ({
  calls: [made({}), made({ from: 200, to: 210, last: true })],
  stillnesses: [],
  restored: 0,
  faults: enough,
  effects: [effect(1)],
  stored: new Map([["k", "completed"]]),
  ...chronicle,
});

const lastLine = (chronicle: Chronicle) => reportOf(chronicle, judge(chronicle)).split("\n").at(-1);

describe("a run in which every call came to one effect", () => {
  test("is a good one, and its last line is the sum", () => {
    const chronicle = run({});
    expect(isGood(judge(chronicle))).toBe(true);
    expect(lastLine(chronicle)).toBe(
      `2 calls, ${FAULTS.length * MINIMUM} faults, 1 effects, 0 duplicated, 0 lost, 0 stuck`,
    );
  });

  test("is worth little when a kind of fault was rare, or nothing had an effect", () => {
    const faults = enough.slice(1);
    expect(judge(run({ faults })).shortcomings).toEqual(["tab is closed: only 2 times"]);
    expect(isGood(judge(run({ faults })))).toBe(false);
    const idle = run({ calls: [], effects: [], stored: new Map() });
    expect(judge(idle).shortcomings).toEqual([
      "only 0 of 0 keys with an effect are completed with its output",
    ]);
  });
});

describe("a broken product", () => {
  test("that frees the key of an owner who died runs it again: duplicated", () => {
    // The first owner's tab crashed when its effect was in the log; the next call found a free key.
    const chronicle = run({
      calls: [made({ end: gone }), made({ from: 150, to: 160, last: true })],
      effects: [effect(1), effect(2)],
    });
    expect(judge(chronicle).duplicated).toEqual(["k: 2 effects"]);
    expect(isGood(judge(chronicle))).toBe(false);
    expect(lastLine(chronicle)).toContain("2 effects, 1 duplicated, 0 lost");
  });

  test("that answers without an effect, or with another one's: lost", () => {
    expect(judge(run({ effects: [] })).lost).toHaveLength(2);
    const wrong = { ...answered, output: { ...output, cancelledAt: "2026-01-02T00:00:00.000Z" } };
    const chronicle = run({ calls: [made({ end: wrong }), made({ last: true })] });
    expect(judge(chronicle).lost).toEqual([expect.stringMatching(/^k: answered .* without/)]);
    const text = { ...answered, output: "cancelled" };
    expect(judge(run({ calls: [made({ end: text })] })).lost).toHaveLength(1);
  });

  test("that forgets a key with an effect: lost", () => {
    for (const stored of [new Map(), new Map([["k", "not_applied"]] as const)]) {
      expect(judge(run({ stored })).lost).toEqual(["k: has had an effect and is free"]);
    }
  });

  test("that leaves too many keys in doubt when everything works again", () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k-${index}`);
    const withDoubt = (doubtful: number) => {
      const calls = keys.map((key) => made({ key, last: true }));
      const effects = keys.map((key, index) => effect(index, key));
      const stored = new Map(
        keys.map((key, index) => [key, index < doubtful ? "in_doubt" : "completed"] as const),
      );
      return judge(run({ calls, effects, stored })).shortcomings;
    };
    expect(withDoubt(1)).toEqual([]);
    expect(withDoubt(2)).toEqual([
      "only 18 of 20 keys with an effect are completed with its output",
    ]);
  });
});

describe("a call that goes on", () => {
  const waits = (to: number) => made({ document: 2, from: 50, to, end: { status: "open" } });

  test("for more than 30 s after its owner has settled or died is stuck", () => {
    const owner = made({ to: 1_000, end: gone });
    expect(judge(run({ calls: [owner, waits(31_000)] })).stuck).toEqual([]);
    expect(judge(run({ calls: [owner, waits(31_001)] })).stuck).toEqual([
      "k: a call, open (0.1 s to 31.0 s)",
    ]);
  });

  test("is told of with what went on meanwhile", () => {
    const faults: Occurrence[] = [
      { fault: "tab is closed", from: 0, to: 40 },
      { fault: "worker hangs", from: 20_000, to: 40_000 },
    ];
    expect(judge(run({ calls: [waits(31_001)], faults })).stuck).toEqual([
      "k: a call, open (0.1 s to 31.0 s), worker hangs (20.0 s to 40.0 s)",
    ]);
  });

  test("for more than 30 s although nobody else has called is stuck, even if it ends then", () => {
    expect(judge(run({ calls: [made({ to: 30_001 })] })).stuck).toHaveLength(1);
    const other = made({ key: "other", from: 0, to: 20_000 });
    expect(judge(run({ calls: [other, made({ to: 30_001 })] })).stuck).toHaveLength(1);
  });

  test("while its owner, or its own tab, is frozen is not stuck until 30 s after the thaw", () => {
    const stillnesses = [{ document: 1, from: 500, to: 40_000 }];
    const owner = made({ to: 41_000 });
    expect(judge(run({ calls: [owner, waits(70_000)], stillnesses })).stuck).toEqual([]);
    expect(judge(run({ calls: [owner, waits(71_001)], stillnesses })).stuck).toHaveLength(1);
    const own = [{ document: 2, from: 500, to: 40_000 }];
    expect(judge(run({ calls: [waits(69_000)], stillnesses: own })).stuck).toEqual([]);
  });

  test("beside calls that ended before it began is stuck all the same", () => {
    const earlier = made({ document: 3, from: 0, to: 10 });
    const calls = [earlier, made({ from: 20, to: 30_021 })];
    expect(judge(run({ calls })).stuck).toHaveLength(1);
  });
});
