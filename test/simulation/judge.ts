import type {
  ClaimedRecord,
  CompletedRecord,
  DoubtRecord,
  NotAppliedRecord,
  OperationRecord,
  PurgedRecord,
} from "../../stores/records.js";
import { claimedAnew, FORGOTTEN, freed, settled } from "./claim-transitions.js";
import type { Knowledge, Stage, Transition } from "./transitions.js";
import { must, Violation } from "./violation.js";

/** How long a purge is remembered for those who wait, in milliseconds. */
const LINGER_MS = 60_000;

/** What happened to a record in one commit, one after the other: its end and the next claim of its key can come together. */
export function stagesOf(
  { before, after }: Stage,
  { asked, latest }: Pick<Knowledge, "asked" | "latest">,
): Stage[] {
  const inOne = [{ before, after }];
  if (after?.state !== "claimed" || before === undefined || before.state === "purged") return inOne;
  if (before.state === "not_applied" || before.fence === after.fence) return inOne;
  const through = (between: OperationRecord | undefined) => [
    { before, after: between, passing: true },
    { before: between, after },
  ];
  switch (before.state) {
    case "claimed":
      if (after.takeover) return through(doubtOf(before, after));
      if (before.purged && asked("complete")) return through(purgedOf(before, latest));
      return through(purgedBefore(before, latest));
    case "completed":
      return through(after.takeover ? doubtOf(before, after) : undefined);
    case "in_doubt":
      return inOne;
    default:
      return before satisfies never;
  }
}

/**
 * Names what happened to a record.
 * @throws {Violation} for what must never happen.
 */
export function judge(
  { before, after, passing = false }: Stage,
  known: Knowledge,
): Transition | undefined {
  mustKeepAudit({ before, after }, known);
  if (before === undefined) return after && claimedAnew(after, known);
  switch (before.state) {
    case "claimed":
      return isFree(after, before) ? freed(before, after, known) : settled(before, after, known);
    case "in_doubt":
      return decided(before, after, known);
    case "completed":
      return ended({ before, after, passing }, known);
    case "not_applied":
      return free(before, after, known);
    case "purged":
      return forgotten(before, after, known);
    default:
      return before satisfies never;
  }
}

function decided(
  before: DoubtRecord,
  after: OperationRecord | undefined,
  known: Knowledge,
): Transition | undefined {
  switch (after?.state) {
    case undefined:
      must(known.purging({ inDoubt: true }), "An operation in doubt became free.");
      return "in doubt → absent, purged";
    case "in_doubt":
      return undefined;
    case "claimed":
      must(after.takeover && after.phase === "started", "A claim on a doubt is no takeover.");
      must(after.executed || !before.executed, "It was forgotten that the handler had returned.");
      must(same(after.purgedBefore, before.purgedBefore), FORGOTTEN);
      must(known.isNewFence(after.fence), "A fence was given twice.");
      must(
        after.call !== before.call || after.attempt <= before.attempt || !known.isAwake(after.call),
        "A call lost its claim while it was issued again.",
      );
      return "in doubt → takeover";
    case "completed":
      must(isReview(before, after, known), "An operation in doubt was completed by nobody.");
      return "in doubt → completed, reviewed";
    case "not_applied":
      must(isReview(before, after, known), "An operation in doubt was freed by nobody.");
      must(known.effects === 0, "A review freed a key that has had its effect.");
      return "in doubt → not applied, reviewed";
    case "purged":
      throw new Violation("An operation in doubt had no answer to be purged.");
    default:
      throw new Violation(after satisfies never);
  }
}

function ended(
  { before, after, passing }: Stage & { readonly before: CompletedRecord },
  known: Knowledge,
): Transition | undefined {
  switch (after?.state) {
    case undefined:
      // Who has waited for it is not given its place.
      must(passing || isOld(before, known), "Nothing is left for those who wait for an answer.");
      return removed(before, known);
    case "completed":
      must(same(before.output, after.output), "A completed output changed.");
      return undefined;
    case "in_doubt":
      must(known.unreadable(before.fence), "A completed operation fell into doubt.");
      must(after.executed, "It was forgotten that the handler had returned.");
      return "completed → in doubt, unreadable";
    case "purged":
      must(known.purging({ inDoubt: false }), "A completed operation was purged by nobody.");
      return "completed → purged, remembered";
    case "claimed":
    case "not_applied":
      throw new Violation("A completed operation was lost.");
    default:
      throw new Violation(after satisfies never);
  }
}

function removed(before: CompletedRecord, known: Knowledge): Transition {
  if (isExpired(before, known)) return "completed → absent, expired";
  if (known.purging({ inDoubt: false })) return "completed → absent, purged";
  must(known.tooMany, "A completed operation was lost.");
  return "completed → absent, one too many";
}

function free(
  before: NotAppliedRecord,
  after: OperationRecord | undefined,
  known: Knowledge,
): Transition | undefined {
  if (after !== undefined) return claimedAnew(after, known);
  const isDue = isExpired(before, known) || known.tooMany;
  must(isDue || known.purging({ inDoubt: false }), "A review was lost.");
  return "not applied → absent";
}

function forgotten(
  before: PurgedRecord,
  after: OperationRecord | undefined,
  known: Knowledge,
): Transition | undefined {
  const { state, key, ...purge } = before;
  const isRemembered = after?.state === "claimed" && same(after.purgedBefore, purge);
  must(isRemembered || isExpired(before, known), FORGOTTEN);
  return after === undefined ? "purged → absent, forgotten" : claimedAnew(after, known);
}

/** What a reviewer has said stays with the key, until another one says something or the record ends. */
function mustKeepAudit({ before, after }: Stage, { reviewed }: Knowledge): void {
  if (after === undefined || after.state === "purged") return;
  const earlier = before && "audit" in before ? before.audit : undefined;
  if (after.audit === undefined) must(earlier === undefined, "A review was forgotten.");
  else must(reviewed(after.audit.id) === after.audit.outcome, "A review that nobody has made.");
}

/** The record was settled by a review, which says so. */
const isReview = (
  before: DoubtRecord,
  { audit, fence }: CompletedRecord | NotAppliedRecord,
  { reviewed }: Knowledge,
): boolean =>
  audit !== undefined &&
  audit.id !== before.audit?.id &&
  fence === before.fence &&
  reviewed(audit.id) === audit.outcome;

const isOld = ({ updatedAt }: CompletedRecord, { latest }: Knowledge): boolean =>
  latest - updatedAt >= LINGER_MS;

const isExpired = (
  { expiresAt = Number.POSITIVE_INFINITY }: { readonly expiresAt?: number },
  { latest }: Knowledge,
): boolean => expiresAt <= latest;

function doubtOf(
  before: ClaimedRecord | CompletedRecord,
  { executed, audit }: ClaimedRecord,
): DoubtRecord {
  const { key, tool, fence, call, attempt, createdAt, updatedAt, purgedBefore } = before;
  const common = {
    ...{ key, tool, fence, call, attempt, createdAt, updatedAt },
    ...(purgedBefore && { purgedBefore }),
  };
  return { ...common, state: "in_doubt", executed, ...(audit !== undefined && { audit }) };
}

/** What is left of a claim that did nothing, if it was made over a purge. */
function purgedBefore(
  { key, purgedBefore: earlier }: ClaimedRecord,
  latest: number,
): PurgedRecord | undefined {
  if (!earlier || earlier.expiresAt <= latest) return undefined;
  return { state: "purged", key, ...earlier };
}

/** The key is as free as it was before the claim. */
const isFree = (
  after: OperationRecord | undefined,
  { fence }: ClaimedRecord,
): after is PurgedRecord | undefined =>
  after === undefined || (after.state === "purged" && after.fence !== fence);

const purgedOf = ({ key, fence, call }: ClaimedRecord, latest: number): PurgedRecord => ({
  ...{ state: "purged", key, fence, call, expiresAt: latest + LINGER_MS },
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
