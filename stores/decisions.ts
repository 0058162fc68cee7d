import { completed, freed, inDoubt, isAhead, lasting, purged } from "./endings.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimedRecord,
  ClaimRef,
  Granted,
  Intent,
  NotAppliedRecord,
  OperationRecord,
  OwnedClaim,
  SettleAnswer,
} from "./records.js";

/** What a decision does to the record and to its journal entry. */
export interface Decision<Answer> {
  readonly answer: Answer;
  /** `keep` leaves the record as it is, `free` deletes it. */
  readonly record: "keep" | "free" | OperationRecord;
  /** The journal entry stored for the key is removed with it. */
  readonly clearEntry?: boolean;
}

/** Leaves the record as it is. */
export const keep = <Answer>(answer: Answer): Decision<Answer> => ({ answer, record: "keep" });
const settled: SettleAnswer = { state: "settled" };

/** The record is a claim of exactly this caller. */
export const holds = (
  record: OperationRecord | undefined,
  claim: ClaimRef,
): record is ClaimedRecord & OperationRecord =>
  record?.state === "claimed" && record.fence === claim.fence && record.call === claim.call;

/** The stored output, boxed, if it answers this tool and intent. */
export const completedFor = (
  record: OperationRecord | undefined,
  { tool, fingerprint }: Omit<Intent, "key">,
): { readonly output: unknown } | undefined =>
  record?.state === "completed" && record.tool === tool && record.fingerprint === fingerprint
    ? { output: record.output }
    : undefined;

const granted = (record: ClaimedRecord, journalKey = record.journalKey): Granted => ({
  state: "granted",
  fence: record.fence,
  phase: record.phase,
  takeover: record.takeover,
  executed: record.executed,
  journalKey,
});

/**
 * One caller asks for a key. `fence` is unused and larger than all before; `waited` says that it stood in a queue, `behind`
 * that it began to behind this claim.
 */
export function decideBegin(
  found: OperationRecord | undefined,
  request: BeginRequest,
  {
    now,
    fence,
    waited,
    behind,
  }: { now: number; fence: number; waited: boolean; behind?: number | undefined },
): Decision<BeginAnswer> {
  // A call that is issued again may have waited where its first issue went.
  const lingers = waited || request.attempt > 0;
  const record = presentTo(found, { now, lingers, behind });
  if (record === undefined) {
    const phase = waited || request.reserve ? "reserved" : "started";
    const claim = succeeding(claimOf(request, { now, fence, phase }), found, now);
    return { answer: granted(claim), record: claim, clearEntry: true };
  }
  if (record.state === "purged") return keep({ state: "purged" });
  if (record.tool !== request.tool) return keep({ state: "conflict", reason: "tool" });
  if (record.fingerprint !== request.fingerprint)
    return keep({ state: "conflict", reason: "fingerprint" });
  switch (record.state) {
    case "completed":
      return keep({ state: "completed", output: record.output, fence: record.fence });
    case "claimed":
      if (record.call === request.call) return adopt(record, request, now);
      return keep({ state: record.purged ? "purged" : "held", claim: owned(record) });
    case "in_doubt": {
      const { attempts = 0, recoverAt, purgedBefore } = record;
      if (purgedBefore && behind !== undefined && behind <= purgedBefore.fence)
        return keep({ state: "purged" });
      if (recoverAt !== undefined && isAhead(recoverAt, now))
        return keep({ state: "postponed", attempts, recoverAt });
      const claim: ClaimedRecord = {
        ...claimOf(request, { now, fence, phase: "started" }),
        takeover: true,
        executed: record.executed,
        createdAt: record.createdAt,
        ...(attempts > 0 && { attempts }),
        ...(record.journaled && { journaled: true }),
        ...(purgedBefore && { purgedBefore }),
      };
      // Until recovery has decided, the entry to look for is the earlier owner's.
      const takeover = succeeding(withJournalKey(claim, record.journalKey), record, now);
      return { answer: granted(takeover), record: takeover };
    }
    default:
      return record satisfies never;
  }
}

/**
 * What there is of a record for one caller; nothing of one whose key is free again. Whoever has waited for an answer gets it
 * though it expires just now, and learns that it was purged.
 */
function presentTo(
  record: OperationRecord | undefined,
  {
    now,
    lingers,
    behind = 0,
  }: { readonly now: number; readonly lingers: boolean; readonly behind: number | undefined },
): Exclude<OperationRecord, NotAppliedRecord> | undefined {
  if (record === undefined || record.state === "not_applied") return undefined;
  // Behind a later claim, nobody has waited for what was purged before that.
  if (record.state === "purged") return lingers && behind <= record.fence ? record : undefined;
  if (lingers) return record;
  const expired =
    record.state === "completed" && record.expiresAt !== undefined && record.expiresAt <= now;
  return expired ? undefined : record;
}

/** What outlasts a key's earlier claims: the last review, and for a minute a purge, which somebody may have waited for. */
function succeeding(
  claim: ClaimedRecord,
  found: OperationRecord | undefined,
  now: number,
): ClaimedRecord {
  if (found?.state === "purged") {
    const { fence, call, expiresAt } = found;
    return expiresAt > now ? { ...claim, purgedBefore: { fence, call, expiresAt } } : claim;
  }
  return found?.audit ? { ...claim, audit: found.audit } : claim;
}

function claimOf(
  request: BeginRequest,
  { now, fence, phase }: { now: number; fence: number; phase: ClaimedRecord["phase"] },
): ClaimedRecord {
  return withJournalKey(
    {
      state: "claimed",
      key: request.key,
      tool: request.tool,
      ...(request.fingerprint === undefined ? {} : { fingerprint: request.fingerprint }),
      fence,
      call: request.call,
      attempt: request.attempt,
      owner: request.owner,
      phase,
      takeover: false,
      executed: false,
      createdAt: now,
      updatedAt: now,
    },
    request.journalKey,
  );
}

function withJournalKey(record: ClaimedRecord, journalKey: string | undefined): ClaimedRecord {
  const { journalKey: _, ...rest } = record;
  return journalKey === undefined ? rest : { ...rest, journalKey };
}

/** The call comes again, after its first answer was lost: the claim is the one it already has. */
function adopt(record: ClaimedRecord, request: BeginRequest, now: number): Decision<BeginAnswer> {
  if (request.attempt < record.attempt) return keep({ state: "superseded" });
  const claim = { ...record, owner: request.owner, attempt: request.attempt, updatedAt: now };
  return { answer: granted(claim), record: claim };
}

const owned = ({ key, fence, call, owner }: ClaimedRecord): OwnedClaim => ({
  key,
  fence,
  call,
  owner,
});

/** The handler is about to be entered. `fresh`: recovery proved that no earlier one took effect. */
export function decideStart(
  record: OperationRecord | undefined,
  claim: ClaimRef,
  { now, fresh, journalKey }: { now: number; fresh: boolean; journalKey?: string | undefined },
): Decision<SettleAnswer> {
  if (!holds(record, claim)) return keep({ state: "lost" });
  const started: ClaimedRecord = { ...record, phase: "started", updatedAt: now };
  if (!fresh) return { answer: settled, record: started };
  const { attempts: _, journaled: __, ...unattempted } = started;
  const anew = withJournalKey({ ...unattempted, takeover: false, executed: false }, journalKey);
  return { answer: settled, record: anew, clearEntry: true };
}

/** The owner has a verified output. `completedMs`: for how long it is replayed; absent: without end. */
export function decideComplete(
  record: OperationRecord | undefined,
  claim: ClaimRef & Intent,
  options: { now: number; output: unknown; completedMs?: number | undefined },
): Decision<SettleAnswer> {
  if (holds(record, claim)) {
    const next = record.purged ? purged(record, options.now) : completed(record, options);
    return { answer: settled, record: next, clearEntry: true };
  }
  if (record?.state !== "completed" && record?.state !== "purged") return keep({ state: "lost" });
  // A repeat of what this claim already did, after its answer was lost.
  if (record.fence === claim.fence && record.call === claim.call) return keep(settled);
  return keep({ state: "lost", completed: completedFor(record, claim) });
}

/**
 * A tab can't read the output that this claim has stored: the effect has happened, and recovery has to tell its output. Answers
 * whether the output was purged before: its caller must not take that for a free key.
 */
export function decideUnreadable(
  record: OperationRecord | undefined,
  { fence, now }: { readonly fence: number; readonly now: number },
): Decision<boolean> {
  if (record?.state !== "completed" || record.fence !== fence) {
    return keep(record?.state === "purged" && record.fence === fence);
  }
  const doubt = { ...lasting(record), state: "in_doubt", executed: true, updatedAt: now } as const;
  return { answer: false, record: doubt };
}

/** The owner proved that nothing happened. */
export function decideRelease(
  record: OperationRecord | undefined,
  claim: ClaimRef,
  now: number,
): Decision<SettleAnswer> {
  if (holds(record, claim))
    return { answer: settled, record: freed(record, now), clearEntry: true };
  // Nothing of this claim is left, or there is a later one: it has been released before, and a repeat succeeds.
  const isFree = record === undefined || (record.state === "purged" && record.fence < claim.fence);
  return keep(isFree || record.fence > claim.fence ? settled : { state: "lost" });
}

/** The owner gives up and can't tell what happened. */
export function decideAbandon(
  record: OperationRecord | undefined,
  claim: ClaimRef,
  { now, executed }: { now: number; executed: boolean },
): Decision<SettleAnswer> {
  if (holds(record, claim)) {
    return { answer: settled, record: inDoubt(record, { now, executed }) };
  }
  const repeated =
    record?.state === "in_doubt" && record.fence === claim.fence && record.call === claim.call;
  if (!repeated) return keep({ state: "lost" });
  // The owner's death may have been noticed before its own word came: the word still counts.
  if (executed && !record.executed) {
    return { answer: settled, record: { ...record, executed, updatedAt: now } };
  }
  return keep(settled);
}

/** The owner's lock was granted to somebody else, so the owner is gone. Answers whether that freed or moved the key. */
export function decideDeath(
  record: OperationRecord | undefined,
  claim: OwnedClaim,
  now: number,
): Decision<boolean> {
  if (!holds(record, claim) || record.owner !== claim.owner) return keep(false);
  if (record.phase === "reserved")
    return { answer: true, record: freed(record, now), clearEntry: true };
  return { answer: true, record: inDoubt(record, { now, executed: false }) };
}

/**
 * The claim was made for a page that has not heard of it, so that no handler was entered. A page that asked again in the
 * meantime owns it under another lock. Answers whether that freed or moved the key.
 */
export function decideUndo(
  record: OperationRecord | undefined,
  claim: OwnedClaim,
  now: number,
): Decision<boolean> {
  if (!holds(record, claim) || record.owner !== claim.owner) return keep(false);
  if (!record.takeover) return { answer: true, record: freed(record, now), clearEntry: true };
  // Nobody has attempted to recover it.
  const unattempted = { ...record, takeover: false };
  return { answer: true, record: inDoubt(unattempted, { now, executed: false }) };
}
