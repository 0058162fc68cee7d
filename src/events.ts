/** A stage in a tool's registration or in one invocation's life, in the order in which they can happen. */
export type Stage =
  | "registering"
  | "registered"
  | "unsupported"
  | "registration_failed"
  | "unregistered"
  | "started"
  | "validated"
  | "authorized"
  | "confirmation_requested"
  | "confirmed"
  | "declined"
  | "waiting"
  | "claimed"
  | "replayed"
  | "recovered"
  | "executed"
  | "completed_after_abort"
  | "output_validated"
  | "output_oversized"
  | "output_unmeasurable"
  | "journal_unused"
  | "verified"
  | "result_not_stored"
  | "cleanup_failed"
  | "succeeded"
  | "failed"
  | "outcome_unknown";

/** Lifecycle metadata. It never holds input, output, context, messages or stacks. */
export interface LifecycleEvent {
  /** One invocation's events share it. Registration events have one of their own per `expose()`. */
  readonly invocationId: string;
  /** The tool's name. */
  readonly name: string;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  /** Milliseconds since `started` (or `registering`). */
  readonly durationMs: number;
  readonly error?: { readonly name: string; readonly code?: string } | undefined;
}

/** Receives lifecycle events. It is not awaited, and what it throws changes nothing. */
export type Observer = (event: LifecycleEvent) => unknown;

/** Whether a call is over with this stage. */
export const isEnd = (stage: Stage): boolean =>
  stage === "succeeded" || stage === "failed" || stage === "outcome_unknown";

/** Emits one call's events. */
export type Emit = (stage: Stage, error?: unknown) => void;
