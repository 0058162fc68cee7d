import { MAX_QUOTE, SignettError } from "./signett-error.js";
import { bounded, listed, sentence } from "./text.js";

export { SignettError };

/** One fault of an input. */
export interface ValidationIssue {
  /** JSON Pointer to the fault. That of a missing or an unexpected field ends in the field's own name. */
  readonly path: string;
  /** The JSON Schema keyword that refused it; `"required"` for a missing field. */
  readonly keyword: string;
  /** What the schema asks for. */
  readonly message: string;
}

/**
 * The input does not match the tool's JSON Schema. No application code has run.
 *
 * The message, of at most 300 characters, has the paths and keywords of the first issues, missing fields before
 * others; it leaves out the issues' own messages, in which a validator may quote values.
 */
export class ValidationError extends SignettError {
  static override readonly errorName = "ValidationError";
  readonly code = "invalid_input";
  /** Every issue, frozen. */
  readonly issues: readonly ValidationIssue[];

  /** @param toolName The tool, for the message. */
  constructor(issues: readonly ValidationIssue[], toolName?: string) {
    const subject = toolName === undefined ? "" : ` for ${bounded(toolName, 64)}`;
    super(`Invalid input${subject}.${faults(issues)} Correct the input and call again.`);
    this.issues = Object.freeze(
      issues.map(({ path, keyword, message }) => Object.freeze({ path, keyword, message })),
    );
  }
}

const ROOM_FOR_FAULTS = 170;
const ROOM_BESIDE_MISSING = 80;
const MAX_OTHERS = 3;

function faults(issues: readonly ValidationIssue[]): string {
  // Branches of one schema, as in `anyOf`, report the same fault again and again.
  const missing = new Set<string>();
  const others = new Set<string>();
  for (const { path, keyword } of issues) {
    const where = bounded(path, 64) || "the input itself";
    if (keyword === "required") missing.add(where);
    else others.add(`${where} (${bounded(keyword, 24)})`);
  }
  const room = missing.size === 0 ? ROOM_FOR_FAULTS : ROOM_BESIDE_MISSING;
  const invalid = others.size === 0 ? "" : ` Invalid: ${listed([...others], room, MAX_OTHERS)}.`;
  if (missing.size === 0) return invalid;
  return ` Missing: ${listed([...missing], ROOM_FOR_FAULTS - invalid.length)}.${invalid}`;
}

/** The statement, with the application's reason for it where there is one. */
function because(statement: string, reason: string | undefined): string {
  // A hook in plain JavaScript can give anything as its reason.
  const quote = typeof reason === "string" ? sentence(reason, MAX_QUOTE) : "";
  return quote === "" ? `${statement}.` : `${statement}: ${quote}`;
}

/** `authorize` denied the call. */
export class AuthorizationError extends SignettError {
  static override readonly errorName = "AuthorizationError";
  readonly code = "authorization_denied";

  /** @param reason The hook's own words, for the message. */
  constructor(reason?: string) {
    super(`${because("Authorization denied", reason)} This call executed nothing.`);
  }
}

/** `confirm` declined the operation. */
export class ConfirmationError extends SignettError {
  static override readonly errorName = "ConfirmationError";
  readonly code = "confirmation_declined";

  /** @param reason The hook's own words, for the message. */
  constructor(reason?: string) {
    super(`${because("Confirmation declined", reason)} This call executed nothing.`);
  }
}

/** `verify` did not accept the result, or did not finish in time. The effect may have happened. */
export class VerificationError extends SignettError {
  static override readonly errorName = "VerificationError";
  readonly code = "verification_failed";

  /** @param reason Why, for the message: the hook's own words, or that it ran out of time. */
  constructor(reason?: string, options?: ErrorOptions) {
    const statement = because("The result is not verified", reason);
    super(`${statement} The effect may have happened: check the current state first.`, options);
  }
}

/**
 * The operation may have committed, and recovery can prove neither success nor that nothing happened. `cause` is
 * what failed: the handler's error, recovery's, or an `AggregateError` of several.
 */
export class OutcomeUnknownError extends SignettError {
  static override readonly errorName = "OutcomeUnknownError";
  readonly code = "outcome_unknown";
  readonly retryable = false;
  /**
   * Epoch milliseconds: until then recovery is not asked, because it has failed too often. Absent: the next call asks it.
   */
  declare readonly nextRecoveryAt?: number;

  /**
   * @param causes Everything that failed, in the order in which it did.
   * @param reason Recovery's own words, for the message.
   */
  constructor(
    causes: readonly unknown[],
    reason?: string,
    { nextRecoveryAt }: { readonly nextRecoveryAt?: number } = {},
  ) {
    const statement = because("Outcome unknown; the operation may have committed", reason);
    super(
      `${statement} Do not retry with a new operation key. ` +
        "Reconcile the original intent with the same key, or have a person review it.",
      causes.length === 0 ? undefined : { cause: combined(causes) },
    );
    if (nextRecoveryAt !== undefined) this.nextRecoveryAt = nextRecoveryAt;
  }
}

function combined(causes: readonly unknown[]): unknown {
  return causes.length === 1 ? causes[0] : new AggregateError(causes, "More than one step failed.");
}

/** What `recover` is told when it takes over: an earlier owner of the key ended without settling. */
export class InterruptedOperationError extends SignettError {
  static override readonly errorName = "InterruptedOperationError";
  readonly code = "operation_interrupted";

  constructor() {
    super("An earlier call with this key ended without an outcome. Its effect may have happened.");
  }
}

/** The handler's output is not JSON data. The handler has run. */
export class OutputError extends SignettError {
  static override readonly errorName = "OutputError";
  readonly code = "output_not_serializable";

  /**
   * @param path JSON Pointer to the fault; the empty text is the whole output.
   * @param found What is there, with its article (`"a function"`), never the value.
   */
  constructor(
    readonly path: string,
    found: string,
  ) {
    const where = path === "" ? "The output" : `The output at ${bounded(path, MAX_QUOTE)}`;
    super(
      `${where} is ${bounded(found, MAX_QUOTE)}, which is not JSON data. ` +
        "The handler has run and its effect may have happened: do not repeat the call blindly.",
    );
  }
}

/** The key was already used for another intent. Nothing was executed. */
export class IdempotencyConflictError extends SignettError {
  static override readonly errorName = "IdempotencyConflictError";
  readonly code = "idempotency_conflict";

  /** @param reason What differs: the tool, or the fingerprint of the intent. */
  constructor(readonly reason: "tool" | "fingerprint") {
    const use = reason === "tool" ? "by another tool" : "for a different intent";
    super(
      `This operation key was already used ${use}. This call executed nothing. ` +
        "Use a new key only for a new intent; repeat the original call to get its answer.",
    );
  }
}

/** A live owner of the key did not settle while this call waited. Nothing was executed. */
export class OperationInProgressError extends SignettError {
  static override readonly errorName = "OperationInProgressError";
  readonly code = "operation_in_progress";

  /** @param waitTimeoutMs How long the call waited, in milliseconds. */
  constructor(readonly waitTimeoutMs: number) {
    super(
      `Another call with the same operation key was still running after ${waitTimeoutMs} ms. ` +
        "It goes on; this call executed nothing. Retry later with the same key, not with a new one.",
    );
  }
}

/** The claim on the key is no longer this call's own, so it can't settle the operation. */
export class ClaimLostError extends SignettError {
  static override readonly errorName = "ClaimLostError";
  readonly code = "claim_lost";

  /** @param completed The output that another owner has meanwhile stored for the same intent. */
  constructor(readonly completed?: { readonly value: unknown }) {
    super(
      "This call lost its operation key before its outcome was stored. Its effect may have happened. " +
        "Call again with the same key to learn the outcome; do not use a new one.",
    );
  }
}

/** What happened to the coordination of tabs and what to do next, each a sentence of at most 400 characters. */
export interface CoordinationFailure {
  readonly what: string;
  readonly next: string;
  /** What the platform reported. */
  readonly cause?: unknown;
}

/** Tabs can't be coordinated: no IndexedDB, no Web Locks, or a worker that was refused or lost. */
export class CoordinationUnavailableError extends SignettError {
  static override readonly errorName = "CoordinationUnavailableError";
  readonly code = "coordination_unavailable";

  constructor({ what, next, ...options }: CoordinationFailure) {
    super(`${sentence(what, 400)} ${sentence(next, 400)}`, options);
  }
}
