import { type Decision, keep } from "./decisions.js";
import { completed, lasting, purged, WAITERS_LINGER } from "./endings.js";
import type { Audit, OperationRecord } from "./records.js";

/** How a reviewer settles an operation in doubt. */
export type Resolution =
  | { readonly outcome: "completed"; readonly output: unknown }
  | { readonly outcome: "not_applied" };

/** Whether a review was carried out; if not, where the key stands instead. */
export type ResolveAnswer =
  | { readonly state: "resolved" }
  | {
      readonly state: "refused";
      /** `in_doubt`: through another claim than the reviewer has looked at. */
      readonly found: "free" | Exclude<OperationRecord["state"], "purged">;
    };

/** A reviewer, who may be a person, says what has become of an operation in doubt. */
export function decideResolve(
  record: OperationRecord | undefined,
  resolution: Resolution,
  {
    now,
    completedMs,
    ...review
  }: {
    readonly now: number;
    /** For how long the record is kept from now on. */
    readonly completedMs: number;
    /** Tells this review from others, when it is repeated because its answer was lost. */
    readonly id: string;
    readonly label: string | undefined;
    /** The last claim of the operation that the reviewer has looked at. Absent: whichever it is. */
    readonly fence?: number | undefined;
  },
): Decision<ResolveAnswer> {
  if (record === undefined || record.state === "purged")
    return keep({ state: "refused", found: "free" });
  if (record.audit?.id === review.id) return keep({ state: "resolved" });
  const { id, label, fence = record.fence } = review;
  if (record.state !== "in_doubt" || record.fence !== fence)
    return keep({ state: "refused", found: record.state });
  const { outcome } = resolution;
  const audit: Audit = { id, at: now, outcome, ...(label !== undefined && { label }) };
  const answer = { state: "resolved" } as const;
  switch (resolution.outcome) {
    case "completed": {
      const { output } = resolution;
      const done = completed(record, { now, output, completedMs });
      return { answer, record: { ...done, audit }, clearEntry: true };
    }
    case "not_applied": {
      const times = { updatedAt: now, expiresAt: now + completedMs };
      const state = "not_applied";
      const free = { ...lasting(record), ...times, state, executed: false, audit } as const;
      return { answer, record: free, clearEntry: true };
    }
    default:
      return resolution satisfies never;
  }
}

/** What a purge did to a key. */
export type PurgeAnswer =
  | "purged"
  /** Nothing is stored, or doubt that was not to be purged. */
  | "kept"
  /** A live claim, whose output will be dropped. */
  | "live";

/** Forgets an operation. `inDoubt`: also one in doubt, whose next call then runs its handler. */
export function decidePurge(
  record: OperationRecord | undefined,
  { now, inDoubt }: { readonly now: number; readonly inDoubt: boolean },
): Decision<PurgeAnswer> {
  if (record === undefined) return keep("kept");
  switch (record.state) {
    case "purged":
      return keep("kept");
    case "claimed":
      return { answer: "live", record: { ...record, purged: true } };
    case "in_doubt":
      return inDoubt ? { answer: "purged", record: "free", clearEntry: true } : keep("kept");
    case "completed":
      return { answer: "purged", record: lingers(record, now) ? purged(record, now) : "free" };
    case "not_applied":
      return { answer: "purged", record: "free" };
    default:
      return record satisfies never;
  }
}

/** Somebody may still be waiting for the answer that is stored here. */
const lingers = (record: { readonly updatedAt: number }, now: number): boolean =>
  now - record.updatedAt < WAITERS_LINGER;

/** Which of these records, the first to expire first, a sweep removes: what has expired, and so many more as are too many. */
export function decideSweep(
  records: readonly OperationRecord[],
  { now, excess }: { readonly now: number; readonly excess: number },
): readonly string[] {
  return records.flatMap((record, index) => {
    switch (record.state) {
      case "claimed":
      case "in_doubt":
        return [];
      case "purged":
        return record.expiresAt <= now ? record.key : [];
      case "completed":
      case "not_applied": {
        const { expiresAt = Number.POSITIVE_INFINITY } = record;
        const due = expiresAt <= now || index < excess;
        return due && !lingers(record, now) ? record.key : [];
      }
      default:
        return record satisfies never;
    }
  });
}
