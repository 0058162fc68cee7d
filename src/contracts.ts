import type { LifecycleEvent } from "./events.js";

/** Options that every store and journal call gets. */
export interface ClaimOptions {
  /** Aborts the call. A call that only settles is given a signal that no caller can abort. */
  readonly signal: AbortSignal;
  /** The fence that `begin` gave for this claim. Absent for a store that gives none. */
  readonly fence?: number | undefined;
}

/** What a call tells the store when it asks for a key. */
export interface BeginOptions {
  /** The caller's wish to wait no longer: `begin` then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** The tool that asks. An equal key from another tool is a conflict. */
  readonly tool?: string | undefined;
  /** Digest of the caller's intent. An equal key with another fingerprint is a conflict. */
  readonly fingerprint?: string | undefined;
  /**
   * Where this call's journal entry will be: named only when every tab of the profile can read it.
   * A later takeover trusts "no entry" only in the journal that the dead owner named here.
   */
  readonly journalKey?: string | undefined;
  /** Claim without starting: `start` follows before the handler is entered. Default `false`. */
  readonly reserve?: boolean | undefined;
  /** Called once when a live owner has the key and this call begins to wait. */
  readonly onWait?: (() => void) | undefined;
}

/** Restarts a claim; see {@link IdempotencyStore.start}. */
export interface StartOptions extends ClaimOptions {
  /** See {@link BeginOptions.journalKey}. */
  readonly journalKey?: string | undefined;
  /**
   * Recovery proved that nothing happened, so a takeover goes on as if it were fresh: what is known
   * of the earlier owner (its journal entry, that its handler returned) is cleared.
   */
  readonly fresh?: boolean | undefined;
}

/** Leaves an operation in doubt; see {@link IdempotencyStore.abandon}. */
export interface AbandonOptions extends ClaimOptions {
  /** The handler is known to have returned: from now on only `not_applied` frees the key. */
  readonly executed?: boolean | undefined;
}

/** This caller owns the key now. */
interface Owned {
  readonly fence?: number | undefined;
  /** Aborts, with a `ClaimLostError`, when the claim is lost while its owner still runs. */
  readonly lost?: AbortSignal | undefined;
}

/** What `begin` answers. */
export type Begun =
  /** Nobody has run this operation: run it. */
  | ({ readonly state: "fresh" } & Owned)
  /** An earlier owner left the operation in doubt, and it is now this caller's to recover. */
  | ({
      readonly state: "in_flight";
      /** An earlier owner's handler is known to have returned. */
      readonly executed?: boolean | undefined;
      /**
       * The {@link BeginOptions.journalKey} that the earlier owner named, or `null` if it named none. Absent: the store
       * does not remember it, and the journal's scope alone decides.
       */
      readonly journalKey?: string | null | undefined;
    } & Owned)
  /** The operation is done; `value` is its stored output. */
  | { readonly state: "completed"; readonly value: unknown };

/**
 * Coordinates calls with equal keys and remembers completed outputs (core concepts seed, "Idempotency").
 *
 * A store written against `begin`, `complete`, `release`, `abandon` and `{ signal }` alone works; fences,
 * reservations and waiting notices are used where a store offers them. Settling a key without a claim rejects.
 */
export interface IdempotencyStore {
  /** Waits for a live owner of an equal key, then claims the key or gives the stored output. */
  begin(key: string, options: BeginOptions): Promise<Begun>;
  /** Makes a reserved claim a started one, durably. Absent: every claim counts as started. */
  start?(key: string, options: StartOptions): Promise<void>;
  /** Stores the output and ends the claim. */
  complete(key: string, value: unknown, options: ClaimOptions): Promise<void>;
  /** Ends a claim that is proven not to have executed: the key is free again. */
  release(key: string, options: ClaimOptions): Promise<void>;
  /** Ends a claim and leaves the operation in doubt: the next caller has to recover it. */
  abandon(key: string, options: AbandonOptions): Promise<void>;
}

/** Options of a journal call. */
export interface JournalOptions extends ClaimOptions {
  /** The idempotency key of the operation that the entry belongs to. */
  readonly operationKey: string;
}

/**
 * Keeps the small correlation that recovery needs (core concepts seed, "Operation journals and recovery").
 */
export interface OperationJournal {
  /**
   * Who can read an entry: only the tab that wrote it (`"tab"`, the default), or every tab of the browser
   * profile. "No entry" proves something to another tab only with `"profile"`.
   */
  readonly scope?: "tab" | "profile" | undefined;
  /** Tells two journals of `"profile"` scope apart. Default: the empty text. */
  readonly id?: string | undefined;
  /** The store whose own transactions clear and remove this journal's entries. Such a journal works with that store only. */
  readonly joins?: IdempotencyStore | undefined;
  /** The entry, or `undefined`. */
  read(key: string, options: JournalOptions): Promise<unknown> | unknown;
  /** Stores the entry in place of an earlier one. */
  write(key: string, entry: unknown, options: JournalOptions): Promise<void> | void;
  /** Removes the entry, if there is one. */
  remove(key: string, options: JournalOptions): Promise<void> | void;
}

/** The store and journal that all tabs of a browser profile share. `connectProfile()` makes one. */
export interface Profile {
  /** Coordinates equal keys in all tabs. */
  readonly idempotency: IdempotencyStore;
  /** Its entries are stored with the operation, and are removed in the transaction that completes it. */
  readonly journal: OperationJournal;
  /** What the tabs do. Absent: each tab knows of its own calls only. */
  readonly activity?: ProfileActivity | undefined;
}

/** How far a handler is. It is shown to people while the call runs, and is neither stored nor part of any event. */
export interface Progress {
  readonly done: number;
  /** In the unit of `done`. Absent: nobody knows. */
  readonly total?: number | undefined;
  /** A few words for a person. At most 80 characters are kept. */
  readonly label?: string | undefined;
}

/**
 * News of one call. A report whose stage the call has reported before brings its key, its progress, or nothing new (when a
 * page comes back, or somebody begins to watch): it is no second event of that stage.
 */
export interface ActivityReport {
  /** The tab in which the call runs. */
  readonly tab: string;
  /** The stage that the call has reached. */
  readonly event: LifecycleEvent;
  /** The operation's key, once it is known. */
  readonly key?: string | undefined;
  /** What the handler has said last, as long as it runs. */
  readonly progress?: Progress | undefined;
}

/** What the tabs of a profile tell each other of their calls, while somebody watches. Nothing of it is stored. */
export interface ProfileActivity {
  /** This tab's id. Every document has one of its own. */
  readonly tab: string;
  /** Tells every tab that watches. */
  publish(report: ActivityReport): void;
  /**
   * Watches all tabs, this one included, first the calls that run. What it returns ends that. While the page is in the
   * back/forward cache nothing is told.
   */
  subscribe(watcher: (report: ActivityReport) => void): () => void;
}
