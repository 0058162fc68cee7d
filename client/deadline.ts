import type { Clock } from "../src/clock.js";

/**
 * Runs `task` once `ms` have passed in which this page was awake. After a pause (a sleeping computer, a frozen page) all
 * timers are due at once, before the answers that came meanwhile are heard: so the second half is counted anew.
 */
export function afterAwake(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.after(ms / 2, () => {
    cancel = clock.after(ms / 2, task);
  });
  return () => cancel();
}

/** How often {@link Deadlines} look, in each of them. */
const LOOKS = 4;

/**
 * One deadline for each of many requests, and one timer for all of them: to set one for each would cost more than the rest of
 * the request. A deadline comes when its time has passed in which this page was awake, and at most a quarter of it later.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #everyMs: number;
  /** How many looks each has left. */
  readonly #left = new Map<() => void, number>();
  #looking = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#everyMs = ms / LOOKS;
  }

  /** Runs `late` once the time has passed, unless what this returns is called before. */
  add(late: () => void): () => void {
    const own = () => late();
    this.#left.set(own, LOOKS + 1);
    this.#lookLater();
    return () => void this.#left.delete(own);
  }

  /** Stops by itself when there is nothing left to look at. */
  #lookLater(): void {
    if (this.#looking || this.#left.size === 0) return;
    this.#looking = true;
    this.#clock.after(this.#everyMs, () => {
      this.#looking = false;
      this.#look();
      this.#lookLater();
    });
  }

  #look(): void {
    for (const [late, left] of this.#left) {
      this.#left.set(late, left - 1);
      if (left > 1) continue;
      this.#left.delete(late);
      late();
    }
  }
}
