/** What a hook does when it is asked. `"hangs"`: it never answers, and its caller leaves after a while. */
export type Answer = "yes" | "no" | "no, with a reason" | "throws" | "hangs";

/** What `recover` does. `"answers no data"`: it says that it recovered, with an output that is not JSON. */
export type RecoverAnswer =
  | "recovered"
  | "recovered no data"
  | "not applied"
  | "unknown"
  | "not recovered"
  | "throws"
  | "hangs";

/** What a storage call does instead of succeeding. */
type Fault =
  /** Nothing was stored. */
  | "refused"
  /** It was stored, but the answer was lost. */
  | "unanswered";

/** Other tabs take the caller's for dead, when the call comes to a place, and its claim goes to another owner. */
export interface Overtaking {
  readonly at: Place;
  readonly completed: boolean;
  /** The store aborts the claim's `lost` signal. Otherwise the call learns of it when it settles. */
  readonly told: boolean;
}

export const STORE_METHODS = ["begin", "start", "complete", "release", "abandon"] as const;
export const JOURNAL_METHODS = ["journal.read", "journal.write", "journal.remove"] as const;
export type StorageMethod = (typeof STORE_METHODS)[number] | (typeof JOURNAL_METHODS)[number];

/** Where a call touches the application or its storage: there its caller may leave. */
export const PLACES = [
  "context",
  "authorize",
  "confirm",
  "key",
  "journal key",
  "waiting",
  "execute",
  "execute ends",
  "recover",
  "verify",
  ...STORE_METHODS,
  ...JOURNAL_METHODS,
] as const;
export type Place = (typeof PLACES)[number];

/** What is stored under the key before the call. */
export type Found =
  | { readonly state: "absent" }
  | {
      readonly state: "in doubt";
      readonly executed: boolean;
      /** The journal key that the dead owner named, against the one that this call names. */
      readonly named: "the same" | "another" | "none" | "not remembered";
    }
  | { readonly state: "completed"; readonly output: "data" | "undefined" | "unmeasurable" }
  | { readonly state: "another tool's" };

/** The parts of an idempotent tool, and what its store and journal hold and do. */
export interface Idempotent {
  readonly found: Found;
  readonly entryLeft: boolean;
  /** Whether a live owner has the key when the call asks for it. */
  readonly owner: "none" | "settles" | "never settles";
  /** A store that looks at the caller's signal only while it waits. */
  readonly grantsToLeavers: boolean;
  /** `"plain"`: only what the contract asks of every store. */
  readonly store: "full" | "plain";
  /** `"joined"`: the profile's own, in one transaction with the store. */
  readonly journal: "joined" | "profile" | "tab";
  readonly key: "fine" | "empty" | "too long" | "throws" | "hangs";
  readonly journalKey: "absent" | "fine" | "empty" | "throws" | "hangs";
  readonly overtaken: Overtaking | undefined;
  readonly faults: Partial<Record<StorageMethod, Fault>>;
}

/** What the handler does: it writes and removes its journal entry, and then ends. */
export interface Handler {
  readonly write: "none" | "awaited" | "not awaited";
  readonly removes: boolean;
  /** A handler that goes on when its journal fails. */
  readonly catches: boolean;
  readonly ends: "returns data" | "returns nothing" | "returns no data" | "throws";
}

/** One call of one tool, with everything that decides its end. */
export interface Scenario {
  readonly input: "valid" | "invalid";
  readonly context: "absent" | "yes" | "throws" | "hangs";
  readonly authorize: "absent" | Answer;
  readonly confirm: "absent" | Answer;
  readonly confirmMode: "a function" | "always" | "effect-only";
  readonly idempotent: Idempotent | undefined;
  readonly handler: Handler;
  /** The answers of the first and of a second time that `recover` is asked. */
  readonly recover: "absent" | readonly [RecoverAnswer, RecoverAnswer];
  readonly verify: "absent" | Answer;
  readonly budget: "none" | "large" | "small";
  /** Where the caller leaves, the first time that the call comes there. */
  readonly leaves: "never" | "before" | Place;
}

/** What tools give, in place of each other so that mixed-up outputs are seen. */
export const OUTPUTS = {
  handler: { from: "handler" },
  recovered: { from: "recover" },
  stored: { from: "store" },
  elsewhere: { from: "another owner" },
} as const;

/** A reservation is for a person who is asked before the effect. */
export const asksBeforeEffect = ({ confirm, confirmMode }: Scenario): boolean =>
  confirm !== "absent" && confirmMode === "effect-only";
