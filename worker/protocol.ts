import type { OperationInfo, OperationPage, OperationState } from "../src/operations.js";
import type { Counts } from "../stores/administration.js";
import type { StorageFailure } from "../stores/failure-log.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimRef,
  Granted,
  Intent,
  SettleAnswer,
} from "../stores/records.js";
import type { Resolution, ResolveAnswer } from "../stores/reviews.js";

export type { BeginRequest, ClaimRef, Granted, Intent, Resolution, ResolveAnswer, SettleAnswer };

/** On what terms a tab's outputs are stored. */
export interface Terms {
  readonly durability: "strict" | "relaxed";
  /** For how long an output is replayed, in milliseconds. */
  readonly completedMs: number;
  /** How many outputs are kept. */
  readonly maxCompleted: number;
}

/** The first message of every connection. */
export interface Hello {
  readonly protocol: number;
  readonly namespace: string;
  readonly terms: Terms;
}

/** A state of the operations as a whole, to be compared with another. */
export interface Revision {
  /** Changes that this run of the worker has seen, and 1. With 0 it is the state of who has seen nothing. */
  readonly count: number;
  /** The last claim's, of whichever worker. */
  readonly fence: number;
}

/** How to settle an operation in doubt. */
export interface ResolveRequest {
  readonly resolution: Resolution;
  readonly label: string | undefined;
  /** Only the doubt that this claim has left. */
  readonly fence: number | undefined;
  /** Tells this review from others when it is sent again. */
  readonly id: string;
}

/** What to purge. */
export type PurgeTarget =
  | { readonly key: string }
  | {
      readonly prefix: string;
      /** Only later keys. */
      readonly after: string | undefined;
    };

/** What one step of a purge has done. */
export interface PurgeReport {
  readonly purged: number;
  /** Keys of claims that go on. */
  readonly live: readonly string[];
  /** The last key of this step, if there may be more. */
  readonly cursor: string | undefined;
}

/** How the worker and its storage are. */
export interface WorkerHealth {
  /** The library's version. */
  readonly build: string;
  readonly counts: Counts;
  readonly lastStorageError: StorageFailure | undefined;
}

/** Why a request was not carried out. `storage`: the database's `DOMException`, as data. */
export type Failure =
  | { readonly kind: "storage"; readonly name: string; readonly message: string }
  /** The message itself is wrong: a version, an argument, an order. */
  | { readonly kind: "refused"; readonly message: string }
  /** The worker does not know this connection: it was run anew, and the tab has to say hello again. */
  | { readonly kind: "unknown_session" }
  /** The worker does not know the call that waits: it was run anew, and the tab has to begin again. */
  | { readonly kind: "unknown_call" };

/** Every answer names the worker instance that gave it: a changed one means that the worker was run anew. */
export type Reply<Value> = { readonly instance: string } & (
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure }
);

/** The end of a begin. */
export type Answer =
  | Exclude<BeginAnswer, { state: "held" }>
  /** The caller left the queue, or its lock was found free. */
  | { readonly state: "dropped" };

/** A begin's first answer: `waiting` is followed by {@link CoordinatorApi.wait}. */
export type FirstAnswer = Answer | { readonly state: "waiting" };

/** Which operations to list; see `OperationQuery`. */
export interface ListRequest {
  readonly state: OperationState | undefined;
  readonly prefix: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** What a tab can ask. Requests and answers are plain data; the worker never calls a tab. */
export interface CoordinatorApi {
  hello(hello: Hello): Promise<Reply<null>>;
  /** Answered at once by every worker that does not hang. */
  ping(): Promise<Reply<null>>;
  begin(request: BeginRequest): Promise<Reply<FirstAnswer>>;
  /** The answer for a call that waits. */
  wait(call: string): Promise<Reply<Answer>>;
  /** The call waits no longer. Its answer still comes: a grant may be on the way. */
  leave(call: string): Promise<Reply<null>>;
  /**
   * The page goes into the back/forward cache, with these client ids: nothing may be sent to it. Posted before the page
   * closes its port, which takes no answer.
   */
  freeze(owners: readonly string[]): Promise<Reply<null>>;
  start(
    claim: ClaimRef,
    options: { readonly fresh: boolean; readonly journalKey?: string | undefined },
  ): Promise<Reply<SettleAnswer>>;
  complete(claim: ClaimRef & Intent, output: unknown): Promise<Reply<SettleAnswer>>;
  release(claim: ClaimRef): Promise<Reply<SettleAnswer>>;
  abandon(claim: ClaimRef, options: { readonly executed: boolean }): Promise<Reply<SettleAnswer>>;
  /** The stored output for the same intent, boxed. */
  completed(intent: Intent): Promise<Reply<{ readonly output: unknown } | null>>;
  /** The operation's journal entry, boxed. */
  readEntry(key: string): Promise<Reply<{ readonly entry: unknown } | null>>;
  writeEntry(claim: ClaimRef, entry: unknown): Promise<Reply<SettleAnswer>>;
  removeEntry(claim: ClaimRef): Promise<Reply<SettleAnswer>>;
  /** The tab can't read the output that was stored under this fence. Answers whether it was purged before. */
  unreadable(key: string, fence: number): Promise<Reply<boolean>>;
  health(): Promise<Reply<WorkerHealth>>;
  list(request: ListRequest): Promise<Reply<OperationPage>>;
  /** Answers when something has changed since, or after some seconds. */
  changes(since: Revision): Promise<Reply<Revision>>;
  resolve(key: string, request: ResolveRequest): Promise<Reply<ResolveAnswer>>;
  purge(target: PurgeTarget, options: { readonly inDoubt: boolean }): Promise<Reply<PurgeReport>>;
  get(key: string, options: { readonly output: boolean }): Promise<Reply<OperationInfo | null>>;
}
