import type { IdempotencyStore, OperationJournal, Progress } from "./contracts.js";
import type { ToolAnnotations } from "./model-context.js";
import type { InputCheck } from "./validation/validator.js";

type Awaitable<T> = T | Promise<T>;

/**
 * One operation's journal, bound to its key and claim. Calls go on after the caller has left: an abort must not
 * lose a correlation.
 */
export interface Operation {
  /** The application's idempotency key. */
  readonly key: string;
  /** Grows with every claim of the profile; undefined where the store gives none, and in a replay. */
  readonly fence: number | undefined;
  /** The entry that this operation's last `write` stored, or `undefined`. */
  read<T = unknown>(): Promise<T | undefined>;
  /**
   * Stores non-secret correlation; call it immediately before the effect. With a profile the entry is durable when
   * this resolves.
   * @throws {TypeError} for `undefined`, which could not be told from "no entry".
   */
  write(entry: unknown): Promise<void>;
  /** Takes the entry back: the effect is known not to have happened, for instance because the server refused. */
  remove(): Promise<void>;
  /**
   * Says how far the handler is, to everybody who waits for the key or looks at the activity. Call it as often as you like:
   * it is passed on at most every 100 ms. It is stored nowhere and never fails; a `done` that is no number is dropped.
   */
  progress(progress: Progress): void;
}

/** What each hook and the handler are told. */
export interface Invocation<Context> {
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Present when the tool has `idempotency` and a journal. */
  readonly operation: Operation | undefined;
}

/** What the hooks are told: the invocation with its validated input. */
export interface HookInvocation<Input, Context> extends Omit<Invocation<Context>, "operation"> {
  readonly input: Input;
}

/** A hook's word: a bare boolean, or one that gives a reason. */
export type Authorization = boolean | { readonly allowed: boolean; readonly reason?: string };
/** See {@link Authorization}. */
export type Confirmation = boolean | { readonly confirmed: boolean; readonly reason?: string };
/** See {@link Authorization}. */
export type Verification = boolean | { readonly verified: boolean; readonly reason?: string };

/** What `recover` found out from the authority. */
export type Recovery<Output> =
  /** The effect happened; this is its output. */
  | { readonly recovered: true; readonly output: Output }
  /**
   * `"not_applied"`: the authority says that nothing happened. `"unknown"`: it can't be told. Without an outcome
   * the journal decides: no entry where one would be means that the effect was never reached.
   */
  | {
      readonly recovered: false;
      readonly outcome?: "unknown" | "not_applied";
      readonly reason?: string;
      readonly output?: never;
    };

/** Asks the person through the application's own dialog. */
export type ConfirmHook<Input, Context> = (
  invocation: HookInvocation<Input, Context>,
) => Awaitable<Confirmation>;

/** Coordinates equal keys (core concepts seed, "Idempotency"). */
export interface Idempotency<Input, Context> {
  /**
   * The application's operation key, 1 to 1,024 characters. Include the principal, a stable operation id, and every
   * argument that changes intent. It is the key of the whole profile.
   */
  readonly key: (invocation: HookInvocation<Input, Context>) => Awaitable<string>;
  /** Default: the profile's. */
  readonly store?: IdempotencyStore;
  /**
   * What else an equal key must agree on: the whole input (`true`), or what the function gives, which must be JSON data. Only
   * its SHA-256 is stored. A call with an equal key and another intent is an `IdempotencyConflictError`, and runs nothing.
   * Leave out what varies between retries. Default: the key alone decides.
   */
  readonly fingerprint?:
    | true
    | ((invocation: HookInvocation<Input, Context>) => Awaitable<unknown>);
  /**
   * How long a call waits for a live owner of its key before `OperationInProgressError`, in milliseconds.
   * Default 120,000.
   */
  readonly waitTimeoutMs?: number;
}

/** Where recovery finds its correlation. */
export interface Journal<Input, Context> {
  /** Default: the profile's. */
  readonly store?: OperationJournal;
  /** The entry's key. Default: the idempotency key. */
  readonly key?: (invocation: HookInvocation<Input, Context>) => Awaitable<string>;
}

/** One bounded capability that an agent can discover and invoke. */
export interface Tool<Input, Context, Output, Schema extends object = object> {
  /** 1 to 128 of `A-Z a-z 0-9 _ . -`; by convention `verb_noun`. Unique in the document. */
  readonly name: string;
  readonly title?: string;
  /** Tells an agent what the tool does. */
  readonly description: string;
  /** JSON Schema, draft 2020-12. Invalid input is refused before application code runs. */
  readonly inputSchema: Schema;
  /**
   * Checks the input in place of `inputSchema`, which then is not compiled: what `signett/validation/vite` precompiled from the same
   * schema. An empty list means that the input is valid.
   */
  readonly validate?: InputCheck;
  readonly annotations?: ToolAnnotations;
  /** Origins that may see the tool; passed to WebMCP. */
  readonly exposedTo?: readonly string[];
  /** The application's function. It gets a private copy of the validated input. */
  readonly execute: (input: Input, invocation: Invocation<Context>) => Awaitable<Output>;
  /** May the current principal attempt this call? Asked on every call, before a replay too. */
  readonly authorize?: (invocation: HookInvocation<Input, Context>) => Awaitable<Authorization>;
  /** A function asks on every call; `mode: "effect-only"` asks only before an effect. */
  readonly confirm?:
    | ConfirmHook<Input, Context>
    | {
        readonly mode: "always" | "effect-only";
        readonly request: ConfirmHook<Input, Context>;
      };
  readonly idempotency?: Idempotency<Input, Context>;
  readonly journal?: Journal<Input, Context>;
  /** Asks the authority what became of an operation in doubt. Used by idempotent tools only. */
  readonly recover?: (
    invocation: HookInvocation<Input, Context> & {
      readonly operation: Operation | undefined;
      /** Why recovery is asked: the handler's own error, or an `InterruptedOperationError`. */
      readonly error: unknown;
    },
  ) => Awaitable<Recovery<Output>>;
  /** Checks the postcondition after execution, replay and recovery, on a signal of its own. */
  readonly verify?: (
    invocation: HookInvocation<Input, Context> & {
      readonly operation: Operation | undefined;
      readonly output: Output;
    },
  ) => Awaitable<Verification>;
  /** Time limit of `verify` in milliseconds. Default: none. */
  readonly verifyTimeoutMs?: number;
  /** Reports (never refuses) outputs whose JSON is larger, in UTF-8 bytes. Default: not measured. */
  readonly outputBudgetBytes?: number;
}
