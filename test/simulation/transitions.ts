import type { ClaimedRecord, OperationRecord } from "../../stores/records.js";
import type { Asked, KnownClaim } from "./claims.js";
import { must, Violation } from "./violation.js";

/** The transitions of "One key's life", and what else happens to a key. */
export const TRANSITIONS = [
  "absent → reserved",
  "absent → started",
  "reserved → started",
  "reserved → absent, released",
  "reserved → absent, owner died",
  "started → absent, released",
  "started → completed",
  "started → in doubt, abandoned",
  "started → in doubt, owner died",
  "in doubt → takeover",
  "takeover → completed",
  "takeover → started afresh",
  "takeover → absent, released",
  "takeover → in doubt, abandoned",
  "takeover → in doubt, owner died",
  "claim adopted by a call that was issued again",
  "completed → replayed",
  "completed → absent, expired",
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** One record before and after one write. */
export interface Change {
  readonly before: OperationRecord | undefined;
  readonly after: OperationRecord | undefined;
}

/** What is known beside the records. */
export interface Knowledge {
  /** The claim, if its grant has reached its tab's runtime. */
  readonly claim: KnownClaim | undefined;
  /** A worker was asked to make that of the claim. */
  readonly asked: (what: Asked) => boolean;
  /** Its page went to the cache before it could hear of the claim. */
  readonly undone: boolean;
  /** The lock of the claim's owner is held, or its tab goes on as if it were. */
  readonly alive: boolean;
  /** The call's page lives, and was never in the cache, where locks can end and grants are undone. */
  readonly isAwake: (call: string) => boolean;
  /** The fence is larger than all that were given before. */
  readonly isNewFence: (fence: number) => boolean;
  /** How many effects the key has had. */
  readonly effects: number;
}

/**
 * Names what happened to a record in one commit: a claim's end and the next claim of its key can come together.
 * @throws {Violation} for what must never happen.
 */
export function judge(change: Change, known: Knowledge): Transition[] {
  const { before, after } = change;
  if (before?.state !== "claimed" || after?.state !== "claimed" || before.fence === after.fence) {
    return [judgeOne(change, known)].flatMap((transition) => transition ?? []);
  }
  const between = after.takeover ? doubtOf(before, after) : undefined;
  const first = judgeOne({ before, after: between }, known);
  const second = judgeOne({ before: between, after }, known);
  return [first, second].flatMap((transition) => transition ?? []);
}

function doubtOf(before: ClaimedRecord, { executed }: ClaimedRecord): OperationRecord {
  const { owner: _owner, phase: _phase, takeover: _takeover, ...rest } = before;
  return { ...rest, state: "in_doubt", executed };
}

function judgeOne({ before, after }: Change, known: Knowledge): Transition | undefined {
  if (before === undefined) return after && claimedAnew(after, known);
  switch (before.state) {
    case "not_applied":
    case "purged":
      throw new Violation("A review or a purge that nobody asked for.");
    case "claimed":
      return after === undefined ? freed(before, known) : settled(before, after, known);
    case "in_doubt":
      must(after !== undefined, "An operation in doubt became free.");
      if (after.state === "in_doubt") return undefined;
      must(after.state === "claimed", "An operation in doubt was completed by nobody.");
      must(after.takeover && after.phase === "started", "A claim on a doubt is no takeover.");
      must(after.executed || !before.executed, "It was forgotten that the handler had returned.");
      must(known.isNewFence(after.fence), "A fence was given twice.");
      must(
        after.call !== before.call || after.attempt <= before.attempt || !known.isAwake(after.call),
        "A call lost its claim while it was issued again.",
      );
      return "in doubt → takeover";
    case "completed":
      must(after?.state === "completed", "A completed operation was lost.");
      must(same(before.output, after.output), "A completed output changed.");
      return undefined;
    default:
      return before satisfies never;
  }
}

function claimedAnew(after: OperationRecord, { isNewFence, effects }: Knowledge): Transition {
  must(after.state === "claimed" && !after.takeover, "A free key was settled.");
  must(isNewFence(after.fence), "A fence was given twice.");
  must(effects === 0, "A key that has had its effect was claimed as fresh.");
  return after.phase === "reserved" ? "absent → reserved" : "absent → started";
}

function freed(before: ClaimedRecord, known: Knowledge): Transition {
  const { claim, asked, undone, alive, effects } = known;
  must(effects === 0, "A key that has had its effect became free.");
  if (before.takeover) {
    mustBeProven(before, claim, "A takeover was freed without proof.");
    must(asked("release"), "A takeover was freed that nobody released.");
    return "takeover → absent, released";
  }
  const { phase } = before;
  if (asked("release") || undone) return `${phase} → absent, released`;
  must(!alive, "A live owner's claim was taken.");
  must(phase === "reserved", "The death of a started claim's owner freed its key.");
  return "reserved → absent, owner died";
}

function settled(
  before: ClaimedRecord,
  after: OperationRecord,
  known: Knowledge,
): Transition | undefined {
  const { claim, asked, undone, alive } = known;
  must(
    after.fence === before.fence && after.call === before.call,
    "A claim was replaced by another one.",
  );
  const from = before.takeover ? "takeover" : "started";
  switch (after.state) {
    case "completed":
      must(asked("complete"), "A claim was completed by somebody else.");
      must(before.phase === "started", "A claim was completed that had not started.");
      return `${from} → completed`;
    case "in_doubt":
      if (asked("abandon") || (undone && before.takeover)) return `${from} → in doubt, abandoned`;
      must(!alive, "A live owner's claim was taken.");
      // The start, the death and the next claim can be one commit.
      must(
        before.phase === "started" || asked("start"),
        "The death of a reserved claim's owner left doubt.",
      );
      return `${from} → in doubt, owner died`;
    case "claimed":
      return kept(before, after, claim);
    case "not_applied":
    case "purged":
      throw new Violation("A review or a purge that nobody asked for.");
    default:
      throw new Violation(after satisfies never);
  }
}

/** A takeover goes no further than its proof that nothing happened. */
function mustBeProven(
  before: ClaimedRecord,
  claim: KnownClaim | undefined,
  otherwise: string,
): void {
  must(claim?.proven !== undefined, otherwise);
  must(
    !before.executed || claim.proven === "not applied",
    "A handler that had returned was taken for not executed.",
  );
}

function kept(
  before: ClaimedRecord,
  after: ClaimedRecord,
  claim: KnownClaim | undefined,
): Transition | undefined {
  if (after.owner !== before.owner) return "claim adopted by a call that was issued again";
  if (before.takeover && !after.takeover) {
    mustBeProven(before, claim, "A takeover went on as fresh without proof.");
    return "takeover → started afresh";
  }
  must(
    after.phase === "started" || before.phase === "reserved",
    "A started claim became reserved.",
  );
  return after.phase === before.phase ? undefined : "reserved → started";
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
