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
import { request } from "./samples.js";

/** One step in the life of a key. `claim` counts back from the newest of all claims that were ever granted. */
type Step =
  | { kind: "begin"; call: number; attempt: number; reserve: boolean; waited: boolean }
  | { kind: "start"; claim: number; fresh: boolean }
  | { kind: "complete"; claim: number; output: number }
  | { kind: "release"; claim: number }
  | { kind: "abandon"; claim: number; executed: boolean }
  | { kind: "death"; claim: number };

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
  ),
  { maxLength: 40 },
);

interface Taken {
  readonly step: Step;
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
    const named = step.kind === "begin" ? undefined : claims.at(-1 - step.claim);
    const decision = decide(step, before, named, { now, fence: lastFence + 1 });
    const next = decision.record;
    record = next === "keep" ? before : next === "free" ? undefined : next;
    lastFence = Math.max(lastFence, record?.fence ?? 0);
    if (record?.state === "claimed" && record !== before && step.kind === "begin") {
      const { key, fence, call, owner } = record;
      claims.push({ key, fence, call, owner });
    }
    return { step, before, after: record, decision, claim: named };
  });
  return { taken, claims };
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
        { now, output: step.output },
      );
    case "release":
      return decideRelease(record, claim);
    case "abandon":
      return decideAbandon(record, claim, { now, executed: step.executed });
    case "death":
      return decideDeath(record, claim, now);
    default:
      return step satisfies never;
  }
}

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

  law("a completed output stays, and stays the same", ({ before, after }) => {
    if (before?.state === "completed") expect(after).toBe(before);
  });

  law("doubt ends only in a takeover that counts as started", ({ step, before, after }) => {
    if (before?.state !== "in_doubt" || after === before) return;
    if (after?.state === "in_doubt") expect(step.kind).toBe("abandon");
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

  law("that a handler returned is forgotten only by a release or a fresh start", (taken) => {
    const { step, before, after } = taken;
    if (!before?.executed || after?.executed) return;
    if (after === undefined) expect(step.kind).toBe("release");
    else expect(step).toMatchObject({ kind: "start", fresh: true });
  });

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
    if (step.kind === "begin") return;
    if (before && claim && before.fence === claim.fence && before.call === claim.call) return;
    expect(after).toBe(before);
  });

  law("a journal entry is cleared only together with a change", ({ decision, before, after }) => {
    if (decision.clearEntry) expect(after).not.toBe(before);
  });
});
