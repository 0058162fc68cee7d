import type { LifecycleEvent, Stage } from "../events.js";

/** Which stages one call has reached, and how long what lies between them took. */
export class CallTimes {
  readonly #startedAt: number;
  readonly #reached = new Set<Stage>();
  #last: LifecycleEvent;
  #waitMs: number | undefined;
  #executionMs: number | undefined;

  constructor(started: LifecycleEvent) {
    this.#startedAt = started.timestamp;
    this.#last = started;
  }

  /** How long the call waited for another one with its key. */
  get waitMs(): number | undefined {
    return this.#waitMs;
  }

  /** How long a handler ran that returned. What it is measured from is the check, the answer or the claim before it. */
  get executionMs(): number | undefined {
    return this.#executionMs;
  }

  has(stage: Stage): boolean {
    return this.#reached.has(stage);
  }

  /** Gives the stage's time, in epoch milliseconds, on the clock of the call's start: a clock that is set back meanwhile shortens nothing. */
  reach(event: LifecycleEvent): number {
    const sinceLast = event.durationMs - this.#last.durationMs;
    if (this.#last.stage === "waiting") this.#waitMs = sinceLast;
    if (event.stage === "executed") this.#executionMs = sinceLast;
    this.#reached.add(event.stage);
    this.#last = event;
    return this.#startedAt + event.durationMs;
  }
}
