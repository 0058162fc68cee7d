/** What a reviewer has decided. */
export interface Audit {
  /** Tells one decision from another, so that it can be repeated. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: "completed" | "not_applied";
  /** Who or what decided, in the application's words. */
  readonly label?: string;
}

/** What every record of an operation holds, whatever its state. */
interface RecordBase {
  /** The application's idempotency key, profile-wide. */
  readonly key: string;
  /** The tool that claimed the key. */
  readonly tool: string;
  /** Digest of the caller's intent; absent where the tool asked for none. */
  readonly fingerprint?: string;
  /** The fence of the last claim. It comes from one counter and is never used again. */
  readonly fence: number;
  /** The call that made the last claim. */
  readonly call: string;
  /** Which issue of that call made it: a call that is re-issued after a lost worker counts up. */
  readonly attempt: number;
  /** A handler of this operation is known to have returned. */
  readonly executed: boolean;
  /** How many takeovers in a row have ended in doubt. Absent: none. */
  readonly attempts?: number;
  /** The last review of this key. */
  readonly audit?: Audit;
  /** Where the last started owner keeps its journal entry, if every tab can read that journal. */
  readonly journalKey?: string;
  /** An entry for this operation is stored beside it, which goes when the operation is settled. */
  readonly journaled?: true;
  /** What was purged shortly before this operation was claimed: somebody may still be waiting for that, if the key is freed. */
  readonly purgedBefore?: Purge;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds of the last change of state. */
  readonly updatedAt: number;
}

/** A live or dead owner has the key: its Web Lock tells which. */
export interface ClaimedRecord extends RecordBase {
  readonly state: "claimed";
  /** `reserved`: the handler has not been entered. `started`: it may have been. */
  readonly phase: "reserved" | "started";
  /** The owner claimed an operation in doubt and has not yet proven that nothing happened. */
  readonly takeover: boolean;
  /** Id under which the owner's tab holds its lock. */
  readonly owner: string;
  /** The key was purged meanwhile: the output is dropped when this claim is settled. */
  readonly purged?: true;
}

/** An owner ended without an answer; recovery decides. */
export interface DoubtRecord extends RecordBase {
  readonly state: "in_doubt";
  /** Epoch milliseconds before which no call is asked to recover it. */
  readonly recoverAt?: number;
}

/** Done: the output is replayed to every later caller. */
export interface CompletedRecord extends RecordBase {
  readonly state: "completed";
  /** Plain JSON data, or `undefined`. */
  readonly output: unknown;
  /** Epoch milliseconds after which the output is not replayed any more. Absent: never. */
  readonly expiresAt?: number;
}

/** A reviewer found that nothing happened. The key is free, and the record is kept for its audit. */
export interface NotAppliedRecord extends RecordBase {
  readonly state: "not_applied";
  readonly expiresAt: number;
}

/** The end of an answer that somebody may still be waiting for. */
interface Purge {
  /** The claim's whose answer it was. */
  readonly fence: number;
  readonly call: string;
  /** Epoch milliseconds after which nobody waits any more. */
  readonly expiresAt: number;
}

/** The answer was purged. The key is free, but for those who have waited for that answer. */
export interface PurgedRecord extends Purge {
  readonly state: "purged";
  readonly key: string;
}

/** One key's durable state. An absent record is a free key. */
export type OperationRecord =
  | ClaimedRecord
  | DoubtRecord
  | CompletedRecord
  | NotAppliedRecord
  | PurgedRecord;

/** Names one claim. A settlement counts only while the record still has both. */
export interface ClaimRef {
  readonly key: string;
  readonly fence: number;
  readonly call: string;
}

/** Whose completed output may be given: the same tool and intent. */
export interface Intent {
  readonly key: string;
  readonly tool: string;
  readonly fingerprint?: string | undefined;
}

/** A claim and the lock id of its owner. */
export interface OwnedClaim extends ClaimRef {
  readonly owner: string;
}

/** One issue of a call that asks for a key. */
export interface BeginRequest {
  readonly key: string;
  readonly tool: string;
  readonly fingerprint?: string | undefined;
  readonly journalKey?: string | undefined;
  /** Id of the call, kept when it is issued again. */
  readonly call: string;
  /** 0, then one more each time the call is issued again. */
  readonly attempt: number;
  /** The lock that marks the caller alive. */
  readonly owner: string;
  /** Claim without starting. A waiter's claim is always only reserved. */
  readonly reserve: boolean;
}

/** The caller owns the key. */
export interface Granted {
  readonly state: "granted";
  readonly fence: number;
  readonly phase: "reserved" | "started";
  readonly takeover: boolean;
  readonly executed: boolean;
  /** In a takeover: where the earlier owner kept its entry. */
  readonly journalKey?: string | undefined;
}

/** What the record says to a caller. */
export type BeginAnswer =
  | Granted
  | { readonly state: "completed"; readonly output: unknown; readonly fence: number }
  | { readonly state: "conflict"; readonly reason: "tool" | "fingerprint" }
  /** The answer that this call would have got was purged, or will be when `claim` has ended. Nothing was executed. */
  | { readonly state: "purged"; readonly claim?: OwnedClaim }
  /** Recovery has failed too often to be asked again before `recoverAt`, in epoch milliseconds. */
  | { readonly state: "postponed"; readonly attempts: number; readonly recoverAt: number }
  /** Somebody else has the key. */
  | { readonly state: "held"; readonly claim: OwnedClaim }
  /** A newer issue of the same call has the key; nobody waits for this answer. */
  | { readonly state: "superseded" };

/** Whether a claim was still there to be settled. */
export type SettleAnswer =
  | { readonly state: "settled" }
  | {
      readonly state: "lost";
      /** What another owner stored meanwhile for the same tool and intent. */
      readonly completed?: { readonly output: unknown } | undefined;
    };
