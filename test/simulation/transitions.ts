import type { OperationRecord } from "../../stores/records.js";
import type { KnownClaim } from "./claims.js";
import type { Asked } from "./requests.js";

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
  "completed → absent, one too many",
  "completed → in doubt, unreadable",
  "completed → purged, remembered",
  "completed → absent, purged",
  "in doubt → absent, purged",
  "claim marked by a purge",
  "marked claim → purged, output dropped",
  "purged → waiter told",
  "purged → absent, forgotten",
  "in doubt → completed, reviewed",
  "in doubt → not applied, reviewed",
  "not applied → absent",
  "claim → review refused",
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** After these the key's next call is a new operation. */
export const FORGETTING: ReadonlySet<Transition> = new Set<Transition>([
  "completed → absent, expired",
  "completed → absent, one too many",
  "completed → purged, remembered",
  "completed → absent, purged",
  "in doubt → absent, purged",
  "marked claim → purged, output dropped",
]);

/** A record before and after something happened to it. */
export interface Stage {
  readonly before: OperationRecord | undefined;
  readonly after: OperationRecord | undefined;
  /** The next stage follows in the same commit. */
  readonly passing?: boolean;
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
  /** How many effects the present operation of the key has had. */
  readonly effects: number;
  /** A purge of the key is asked for; `inDoubt`: of doubt, too. */
  readonly purging: (options: { readonly inDoubt: boolean }) => boolean;
  /** A tab said that it can't read the output with this fence. */
  readonly unreadable: (fence: number) => boolean;
  /** The outcome of this review, if it was asked for. */
  readonly reviewed: (id: string) => "completed" | "not_applied" | undefined;
  /** There are more outputs than may be kept. */
  readonly tooMany: boolean;
  /** The latest that a clock has shown. */
  readonly latest: number;
}
