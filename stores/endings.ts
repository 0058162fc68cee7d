import type { ClaimedRecord, CompletedRecord, DoubtRecord, PurgedRecord } from "./records.js";

/** So many takeovers of a key may end in doubt before recovery is slowed down. */
const QUICK_RECOVERIES = 5;
/** How long a slowed-down recovery is not asked, in milliseconds. */
const RECOVERY_PAUSE = 60_000;
/** How long somebody may still be waiting for an answer that is stored or purged, in milliseconds. */
export const WAITERS_LINGER = 60_000;

/** The operation is done, whoever says so. */
export function completed(
  record: ClaimedRecord | DoubtRecord,
  {
    now,
    output,
    completedMs,
  }: { readonly now: number; readonly output: unknown; readonly completedMs?: number | undefined },
): CompletedRecord {
  return {
    ...lasting(record),
    state: "completed",
    output,
    executed: true,
    updatedAt: now,
    ...(completedMs !== undefined && { expiresAt: now + completedMs }),
  };
}

/** Its answer is gone, and those who have waited for it are told so. */
export const purged = (
  { key, fence, call }: Pick<PurgedRecord, "key" | "fence" | "call">,
  now: number,
): PurgedRecord => ({ state: "purged", key, fence, call, expiresAt: now + WAITERS_LINGER });

/** The claim has done nothing: what is left is what was there before it, if anybody may be waiting for that. */
export const freed = ({ key, purgedBefore }: ClaimedRecord, now: number): "free" | PurgedRecord =>
  purgedBefore && purgedBefore.expiresAt > now ? { state: "purged", key, ...purgedBefore } : "free";

/** What a record keeps when its claim or its doubt ends. */
export function lasting(record: ClaimedRecord | DoubtRecord | CompletedRecord) {
  const { key, tool, fingerprint, fence, call, attempt, journalKey, createdAt, audit } = record;
  return {
    ...{ key, tool, fence, call, attempt, createdAt },
    ...(fingerprint !== undefined && { fingerprint }),
    ...(journalKey !== undefined && { journalKey }),
    ...(audit !== undefined && { audit }),
  };
}

/** What happened can't be told. A claim that was purged leaves the doubt of any other: only answers are purged so. */
export function inDoubt(
  record: ClaimedRecord,
  { now, executed }: { now: number; executed: boolean },
): DoubtRecord {
  const attempts = (record.attempts ?? 0) + (record.takeover ? 1 : 0);
  return {
    ...lasting(record),
    state: "in_doubt",
    executed: record.executed || executed,
    ...(record.journaled && { journaled: true }),
    ...(record.purgedBefore && { purgedBefore: record.purgedBefore }),
    ...(attempts > 0 && { attempts }),
    ...(attempts >= QUICK_RECOVERIES && { recoverAt: now + RECOVERY_PAUSE }),
    updatedAt: now,
  };
}

/** A time that was set far ahead comes from a clock that has since gone back. */
export const isAhead = (recoverAt: number, now: number): boolean =>
  now < recoverAt && recoverAt - now <= RECOVERY_PAUSE;
