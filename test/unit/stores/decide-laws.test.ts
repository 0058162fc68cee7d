import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Decision,
  decideAbandon,
  decideBegin,
  decideComplete,
  decideDeath,
  decideRelease,
  decideStart,
} from "../../../stores/decisions.js";
import type { OperationRecord, OwnedClaim } from "../../../stores/records.js";
import { decidePurge, decideResolve, decideSweep } from "../../../stores/reviews.js";
import { request } from "./samples.js";

/** One step in the life of a key. `claim` counts back from the newest of all claims that were ever granted. */
type Step =
  | { kind: "begin"; call: number; attempt: number; reserve: boolean; waited: boolean }
  | { kind: "start"; claim: number; fresh: boolean }
  | { kind: "complete"; claim: number; output: number }
  | { kind: "release"; claim: number }
  | { kind: "abandon"; claim: number; executed: boolean }
  | { kind: "death"; claim: number }
  | { kind: "resolve"; applied: boolean }
  | { kind: "purge"; inDoubt: boolean }
  | { kind: "sweep"; excess: number };

const kind = <Kind extends Step["kind"]>(value: Kind) => fc.constant(value);
const claim = fc.nat(3);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: kind("begin"),
      call: fc.nat(3),
      attempt: fc.nat(2),
      reserve: fc.boolean(),
      waited: fc.boolean(),
    }),
    fc.record({ kind: kind("start"), claim, fresh: fc.boolean() }),
    fc.record({ kind: kind("complete"), claim, output: fc.nat() }),
    fc.record({ kind: kind("release"), claim }),
    fc.record({ kind: kind("abandon"), claim, executed: fc.boolean() }),
    fc.record({ kind: kind("death"), claim }),
    fc.record({ kind: kind("resolve"), applied: fc.boolean() }),
    fc.record({ kind: kind("purge"), inDoubt: fc.boolean() }),
    fc.record({ kind: kind("sweep"), excess: fc.nat(1) }),
  ),
  { maxLength: 40 },
);

/** How much time passes between two steps, and how long an output is kept. */
const [STEP_MS, KEPT_MS] = [20_000, 100_000];

interface Taken {
  readonly step: Step;
  readonly now: number;
  readonly before: OperationRecord | undefined;
  readonly after: OperationRecord | undefined;
  readonly decision: Decision<unknown>;
  /** The claim that the step named. */
  readonly claim: OwnedClaim | undefined;
}

/** Lives a key's life and gives what each step did. */
function live(path: readonly Step[]): { taken: Taken[]; claims: OwnedClaim[] } {
  let record: OperationRecord | undefined;
  let lastFence = 0;
  const claims: OwnedClaim[] = [];
  const taken = path.map((step, now): Taken => {
    const before = record;
    const named = "claim" in step ? claims.at(-1 - step.claim) : undefined;
    const at = { now: now * STEP_MS, fence: lastFence + 1 };
    const decision = administer(step, before, at.now) ?? decide(step, before, named, at);
    const next = decision.record;
    record = next === "keep" ? before : next === "free" ? undefined : next;
    lastFence = Math.max(lastFence, record?.fence ?? 0);
    if (record?.state === "claimed" && record !== before && step.kind === "begin") {
      const { key, fence, call, owner } = record;
      claims.push({ key, fence, call, owner });
    }
    return { step, now: at.now, before, after: record, decision, claim: named };
  });
  return { taken, claims };
}

/** What reviewers and housekeeping do. */
function administer(
  step: Step,
  record: OperationRecord | undefined,
  now: number,
): Decision<unknown> | undefined {
  switch (step.kind) {
    case "resolve": {
      const resolution = step.applied
        ? ({ outcome: "completed", output: now } as const)
        : ({ outcome: "not_applied" } as const);
      return decideResolve(record, resolution, {
        now,
        completedMs: KEPT_MS,
        id: `${now}`,
        label: undefined,
      });
    }
    case "purge":
      return decidePurge(record, { now, inDoubt: step.inDoubt });
    case "sweep": {
      const keys = decideSweep(record ? [record] : [], { now, excess: step.excess });
      return { answer: keys, record: keys.length > 0 ? "free" : "keep" };
    }
    default:
      return undefined;
  }
}

const nothing: Decision<unknown> = { answer: undefined, record: "keep" };

function decide(
  step: Step,
  record: OperationRecord | undefined,
  claim: OwnedClaim | undefined,
  { now, fence }: { now: number; fence: number },
): Decision<unknown> {
  if (step.kind === "begin") {
    const { call, attempt, reserve, waited } = step;
    const owner = `lock-${call}-${attempt}`;
    return decideBegin(record, request({ call: `${call}`, attempt, owner, reserve }), {
      now,
      fence,
      waited,
    });
  }
  if (!claim) return nothing;
  switch (step.kind) {
    case "start":
      return decideStart(record, claim, { now, fresh: step.fresh });
    case "complete":
      return decideComplete(
        record,
        { ...claim, tool: "cancel_order" },
        { now, output: step.output, completedMs: KEPT_MS },
      );
    case "release":
      return decideRelease(record, claim, now);
    case "abandon":
      return decideAbandon(record, claim, { now, executed: step.executed });
    case "death":
      return decideDeath(record, claim, now);
    case "resolve":
    case "purge":
    case "sweep":
      return nothing;
    default:
      return step satisfies never;
  }
}

const executed = (record: OperationRecord | undefined) =>
  record !== undefined && record.state !== "purged" && record.executed;

const holder = (record: OperationRecord | undefined) =>
  record?.state === "claimed" ? record : undefined;

function law(sentence: string, holds: (taken: Taken, all: readonly OwnedClaim[]) => void): void {
  it(sentence, () => {
    fc.assert(
      fc.property(steps, (path) => {
        const { taken, claims } = live(path);
        for (const each of taken) holds(each, claims);
      }),
      { numRuns: 500 },
    );
  });
}

describe("whatever happens to a key", () => {
  law("its fence never goes back, and a new claim has a fence of its own", ({ before, after }) => {
    if (!before || !after) return;
    expect(after.fence).toBeGreaterThanOrEqual(before.fence);
    const claimedAnew = after.state === "claimed" && before.state !== "claimed";
    if (claimedAnew) expect(after.fence).toBeGreaterThan(before.fence);
  });

  law("a completed output stays the same until it expires, is swept or purged", (taken) => {
    const { step, before, after, now } = taken;
    if (before?.state !== "completed" || after === before) return;
    const expired = before.expiresAt !== undefined && before.expiresAt <= now;
    if (step.kind === "begin") expect(expired).toBe(true);
    else if (step.kind === "sweep") expect(expired || step.excess > 0).toBe(true);
    else expect(step.kind).toBe("purge");
  });

  law("no sweep takes a claim, doubt, or an answer for which somebody may still wait", (taken) => {
    const { step, before, after, now } = taken;
    if (step.kind !== "sweep" || after === before) return;
    expect(["completed", "not_applied", "purged"]).toContain(before?.state);
    if (before && "updatedAt" in before)
      expect(now - before.updatedAt).toBeGreaterThanOrEqual(60_000);
  });

  law("what was purged while it ran is never replayed, whoever completes that claim", (taken) => {
    const { before, after } = taken;
    if (before?.state !== "claimed" || !before.purged) return;
    expect(after?.state).not.toBe("completed");
  });

  law("recovery is not asked more than once a minute after five failures", (taken) => {
    const { step, before, after, now } = taken;
    if (step.kind !== "begin" || before?.state !== "in_doubt" || after === before) return;
    if ((before.attempts ?? 0) >= 5) expect(now - before.updatedAt).toBeGreaterThanOrEqual(60_000);
  });

  law("doubt ends only in a takeover that counts as started, or by a person's word", (taken) => {
    const { step, before, after } = taken;
    if (before?.state !== "in_doubt" || after === before) return;
    if (step.kind === "resolve") expect(after).toMatchObject({ audit: { at: expect.any(Number) } });
    else if (step.kind === "purge") expect(step.inDoubt).toBe(true);
    else if (after?.state === "in_doubt") expect(step.kind).toBe("abandon");
    else expect(after).toMatchObject({ state: "claimed", takeover: true, phase: "started" });
  });

  law(
    "a takeover frees the key or becomes fresh only by its own owner's word",
    ({ step, before, after, claim }) => {
      if (!holder(before)?.takeover) return;
      if (after === undefined) expect(step.kind).toBe("release");
      else if (holder(after)?.takeover === false) expect(step).toMatchObject({ fresh: true });
      else return;
      expect(claim).toMatchObject({ fence: before?.fence, call: before?.call });
    },
  );

  law(
    "that a handler returned is forgotten only by a release, a fresh start or a person",
    (taken) => {
      const { step, before, after, now } = taken;
      if (!executed(before) || executed(after)) return;
      if (["resolve", "purge", "sweep"].includes(step.kind)) return;
      // An answer that was purged while it ran, or has expired.
      if (after?.state === "purged") return;
      if (before?.state === "completed") expect(before.expiresAt).toBeLessThanOrEqual(now);
      else if (after === undefined) expect(step.kind).toBe("release");
      else expect(step).toMatchObject({ kind: "start", fresh: true });
    },
  );

  law("a started claim is never free because its owner died", ({ step, before, after }) => {
    if (step.kind !== "death" || after !== undefined || before === undefined) return;
    expect(before).toMatchObject({ state: "claimed", phase: "reserved", takeover: false });
  });

  law("at most one of all claims ever made can still start", ({ after }, claims) => {
    const able = claims.filter(
      (claim) => decideStart(after, claim, { now: 0, fresh: false }).answer.state === "settled",
    );
    const distinct = new Set(able.map(({ fence, call }) => `${fence} ${call}`));
    expect([...distinct]).toEqual(
      able.length === 0 ? [] : [`${holder(after)?.fence} ${holder(after)?.call}`],
    );
  });

  law("a claim that does not have the key changes nothing", ({ step, before, after, claim }) => {
    if (!("claim" in step)) return;
    if (before && claim && before.fence === claim.fence && before.call === claim.call) return;
    expect(after).toBe(before);
  });

  law("a journal entry is cleared only together with a change", ({ decision, before, after }) => {
    if (decision.clearEntry) expect(after).not.toBe(before);
  });
});
