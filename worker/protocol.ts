import type { OperationInfo, OperationPage, OperationState } from "../src/operations.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimRef,
  Granted,
  Intent,
  SettleAnswer,
} from "../stores/records.js";

export type { BeginRequest, ClaimRef, Granted, Intent, SettleAnswer };

/** The first message of every connection. */
export interface Hello {
  readonly protocol: number;
  readonly namespace: string;
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
  list(request: ListRequest): Promise<Reply<OperationPage>>;
  get(key: string, options: { readonly output: boolean }): Promise<Reply<OperationInfo | null>>;
}
