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

/** Emits one call's events. */
export type Emit = (stage: Stage, error?: unknown) => void;

/** An application's error can have getters, and they can throw. */
function summary(error: unknown): LifecycleEvent["error"] {
  if (!(error instanceof Error)) return { name: typeof error };
  try {
    const { name, code } = error as Error & { code?: unknown };
    return typeof code === "string" ? { name, code } : { name };
  } catch {
    return { name: "Error" };
  }
}

/** The observers of one Signett interface. */
export class Observers {
  readonly #observers = new Set<Observer>();

  /** Adds an observer and returns what removes it. */
  add(observer: Observer): () => void {
    // A wrapper of its own, so that one function added twice is two subscriptions.
    const own: Observer = (event) => observer(event);
    this.#observers.add(own);
    return () => void this.#observers.delete(own);
  }

  /** Begins a series of events about one invocation or registration of the tool `name`. */
  series(name: string, now: () => number = Date.now): Emit {
    const invocationId = crypto.randomUUID();
    const startedAt = now();
    return (stage, error) => {
      if (this.#observers.size === 0) return;
      const timestamp = now();
      const event: LifecycleEvent = Object.freeze({
        invocationId,
        name,
        stage,
        timestamp,
        // A clock that was set back must not report a negative duration.
        durationMs: Math.max(0, timestamp - startedAt),
        ...(error === undefined ? {} : { error: summary(error) }),
      });
      for (const observer of this.#observers) notify(observer, event);
    };
  }
}

/** An observer's failure, thrown or rejected, is its own. */
function notify(observer: Observer, event: LifecycleEvent): void {
  try {
    const result = observer(event);
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
