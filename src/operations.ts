/** See {@link OperationState}. */
export const OPERATION_STATES = ["claimed", "completed", "in_doubt", "not_applied"] as const;

/**
 * Where a key stands. A key of which nothing is stored is free.
 *
 * - `claimed`: a call owns it. Its handler runs, or a person or recovery is asked.
 * - `completed`: done; its output is replayed.
 * - `in_doubt`: its owner ended without an outcome. The next call with the key has to recover it.
 * - `not_applied`: a reviewer found that nothing happened. The key is free, and this is what is left of it.
 */
export type OperationState = (typeof OPERATION_STATES)[number];

/** One operation of the browser profile, as plain data without its input and, unless asked for, its output. */
export interface OperationInfo {
  /** The application's idempotency key. */
  readonly key: string;
  /** The tool that claimed the key. */
  readonly tool: string;
  readonly state: OperationState;
  /** Of a claim. `reserved`: its handler has not been entered. `started`: it may have been. */
  readonly phase?: "reserved" | "started";
  /** The number of the last claim. It grows with each claim of the profile and is never used twice. */
  readonly fence: number;
  /** Of a claim: it recovers what an earlier owner left in doubt. */
  readonly takeover?: boolean;
  /** A handler of this operation is known to have returned. */
  readonly executed: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds of the last change of state. */
  readonly updatedAt: number;
  /** How long it has been in this state, in milliseconds. */
  readonly ageMs: number;
  /** Of a claim: the id of the lock that marks its tab alive, and whether that tab lives. A frozen tab does. */
  readonly owner?: { readonly id: string; readonly alive: boolean };
  /** How many calls wait for the key, as far as the worker that answers knows. */
  readonly waiters: number;
  /** How many takeovers in a row have ended in doubt. */
  readonly attempts: number;
  /** Epoch milliseconds: recovery has failed too often to be asked before. */
  readonly nextRecoveryAt?: number;
  /** Epoch milliseconds after which the key is free. Absent: it is kept until something happens to it. */
  readonly expiresAt?: number;
  /** The last review of this key: when, what, and by whom in the application's words. */
  readonly audit?: {
    readonly at: number;
    readonly outcome: "completed" | "not_applied";
    readonly label?: string;
  };
  /** The stored output, where it was asked for. */
  readonly output?: unknown;
}

/** Which operations {@link ProfileOperations.list} gives. */
export interface OperationQuery {
  /** Default: any. */
  readonly state?: OperationState | undefined;
  /** Only keys that begin with this text. */
  readonly prefix?: string | undefined;
  /** The most operations in one answer, 1 to 1,000. Default 100. */
  readonly limit?: number | undefined;
  /** The `cursor` of an earlier answer to the same query: the list goes on after it. */
  readonly cursor?: string | undefined;
}

/** A page of the list, in the order of the keys (their UTF-16 code units). */
export interface OperationPage {
  readonly operations: readonly OperationInfo[];
  /** Absent: there are no more. */
  readonly cursor?: string;
}

/** How a reviewer settles an operation in doubt. */
export type OperationResolution =
  /** It has taken effect, and this is its output: JSON data, or `undefined`. */
  | { readonly outcome: "completed"; readonly output: unknown }
  /** Nothing has happened: the key is free. */
  | { readonly outcome: "not_applied" };

/** What {@link ProfileOperations.purge} did. */
export interface PurgeResult {
  /** How many operations it removed. */
  readonly purged: number;
  /** Keys of claims that go on. Their outputs are dropped when they settle. */
  readonly live: readonly string[];
}

/** The operations of a browser profile, for reviewers and for the application's own pages (contract, section 5). */
export interface ProfileOperations {
  /**
   * The stored operations, a page at a time. A list that is read while calls run shows each key as it was when its page was
   * read.
   * @throws {TypeError} for a query out of bounds.
   * @throws {CoordinationUnavailableError} as every request does that can't reach the store.
   */
  list(query?: OperationQuery): Promise<OperationPage>;
  /** One operation, or `undefined` if nothing is stored under the key. */
  get(
    key: string,
    options?: { readonly output?: boolean | undefined },
  ): Promise<OperationInfo | undefined>;
  /**
   * Calls `listener` when operations of the profile may have changed, in whichever tab, and once when it begins to listen:
   * look again. A burst of changes is one call. While the page is in the back/forward cache nothing is told. What `listener` throws is reported as an uncaught error.
   *
   * @returns what ends the subscription; twice is fine.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Settles an operation in doubt by a reviewer's word, which is kept with the record as `audit`. `label` says who or what
   * decided, in at most 200 characters, nothing secret. `fence` is that of the operation which the reviewer has looked at: if a
   * call has claimed the key since, its doubt is another one, and the word about the earlier one is refused.
   *
   * @throws {OperationNotInDoubtError} if the operation, or the one with this fence, is not in doubt, and changes nothing.
   * @throws {OutputError} if the output is not JSON data.
   */
  resolve(
    key: string,
    resolution: OperationResolution,
    options?: { readonly label?: string | undefined; readonly fence?: number | undefined },
  ): Promise<void>;
  /**
   * Removes what is stored under one key, or under all keys that begin with a text, for a logout or a test. Operations in
   * doubt are removed only with `inDoubt: true`: what has become of them is then forgotten, and their next call runs its
   * handler. A claim goes on, but its output is dropped when it settles; a call that waits for it gets an
   * `OperationPurgedError`.
   */
  purge(
    target: { readonly key: string } | { readonly prefix: string },
    options?: { readonly inDoubt?: boolean | undefined },
  ): Promise<PurgeResult>;
}
