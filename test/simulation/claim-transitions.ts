import type { ClaimedRecord, OperationRecord, PurgedRecord } from "../../stores/records.js";
import type { KnownClaim } from "./claims.js";
import type { Knowledge, Transition } from "./transitions.js";
import { must, Violation } from "./violation.js";

/** A key that was free is claimed. */
export function claimedAnew(
  after: OperationRecord,
  { isNewFence, effects }: Knowledge,
): Transition {
  must(after.state === "claimed" && !after.takeover, "A free key was settled.");
  must(isNewFence(after.fence), "A fence was given twice.");
  must(effects === 0, "A key that has had its effect was claimed as fresh.");
  return after.phase === "reserved" ? "absent → reserved" : "absent → started";
}

export const FORGOTTEN = "A purge was forgotten that somebody could wait for.";

/** A claim ended, and its key is free, but for those who wait for what was purged before it. */
export function freed(
  before: ClaimedRecord,
  after: PurgedRecord | undefined,
  known: Knowledge,
): Transition {
  const { claim, asked, undone, alive, effects, latest } = known;
  const earlier = before.purgedBefore;
  if (after) must(isOf(after, earlier), "A claim was purged by nobody.");
  else must(!earlier || earlier.expiresAt <= latest, FORGOTTEN);
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

const isOf = (
  { fence, call, expiresAt }: PurgedRecord,
  purge: ClaimedRecord["purgedBefore"],
): boolean => fence === purge?.fence && call === purge.call && expiresAt === purge.expiresAt;

/** A claim went on, or ended with a record. */
export function settled(
  before: ClaimedRecord,
  after: OperationRecord,
  known: Knowledge,
): Transition | undefined {
  const { asked, undone, alive } = known;
  must(
    after.fence === before.fence && after.call === before.call,
    "A claim was replaced by another one.",
  );
  const from = before.takeover ? "takeover" : "started";
  switch (after.state) {
    case "completed":
      mustBeCompleted(before, known);
      must(!before.purged, "The output of a claim was stored that had been purged.");
      return `${from} → completed`;
    case "in_doubt":
      must(after.purgedBefore?.fence === before.purgedBefore?.fence, FORGOTTEN);
      if (asked("abandon") || (undone && before.takeover)) return `${from} → in doubt, abandoned`;
      must(!alive, "A live owner's claim was taken.");
      // The start, the death and the next claim can be one commit.
      must(
        before.phase === "started" || asked("start"),
        "The death of a reserved claim's owner left doubt.",
      );
      return `${from} → in doubt, owner died`;
    case "claimed":
      return kept(before, after, known);
    case "purged":
      must(before.purged === true, "A claim was purged by nobody.");
      mustBeCompleted(before, known);
      return "marked claim → purged, output dropped";
    case "not_applied":
      throw new Violation("A review settled a claim.");
    default:
      throw new Violation(after satisfies never);
  }
}

function mustBeCompleted({ phase }: ClaimedRecord, { asked }: Knowledge): void {
  must(asked("complete"), "A claim was completed by somebody else.");
  must(phase === "started", "A claim was completed that had not started.");
}

/** A takeover goes no further than its proof that nothing happened. */
function mustBeProven(
  before: ClaimedRecord,
  claim: KnownClaim | undefined,
  otherwise: string,
): void {
  must(claim?.proven !== undefined, otherwise);
  must(
    before.journalKey !== undefined || claim.proven === "not applied",
    "A takeover went by the absence of an entry that only the dead owner could read.",
  );
  must(
    !before.executed || claim.proven === "not applied",
    "A handler that had returned was taken for not executed.",
  );
}

function kept(
  before: ClaimedRecord,
  after: ClaimedRecord,
  { claim, purging }: Knowledge,
): Transition | undefined {
  must(after.purged || !before.purged, "It was forgotten that a claim had been purged.");
  must(after.purgedBefore?.fence === before.purgedBefore?.fence, FORGOTTEN);
  if (after.owner !== before.owner) return "claim adopted by a call that was issued again";
  if (before.takeover && !after.takeover) {
    mustBeProven(before, claim, "A takeover went on as fresh without proof.");
    return "takeover → started afresh";
  }
  must(
    after.phase === "started" || before.phase === "reserved",
    "A started claim became reserved.",
  );
  if (after.purged && !before.purged) {
    must(purging({ inDoubt: false }), "A claim was marked by nobody.");
    return "claim marked by a purge";
  }
  return after.phase === before.phase ? undefined : "reserved → started";
}
