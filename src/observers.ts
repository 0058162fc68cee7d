import { type Clock, systemClock } from "./clock.js";
import type { Emit, LifecycleEvent, Observer } from "./events.js";
import { shared } from "./shared.js";

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
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Adds an observer and returns what removes it. */
  add(observer: Observer): () => void {
    // A wrapper of its own, so that one function added twice is two subscriptions.
    const own: Observer = (event) => observer(event);
    this.#observers.add(own);
    return () => void this.#observers.delete(own);
  }

  /** Begins a series of events about one invocation or registration of the tool `name`. */
  series(name: string): Emit {
    const invocationId = crypto.randomUUID();
    const startedAt = this.#clock.now();
    return (stage, error) => {
      const everywhere = shared().observers;
      if (this.#observers.size === 0 && everywhere.size === 0) return;
      const timestamp = this.#clock.now();
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
      for (const observer of everywhere) notify(observer, event);
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
