import type { Clock } from "../../clock.js";
import type { Pump } from "./pump.js";
import type { VirtualTime } from "./time.js";

/** Time that a test lets pass. */
export interface TestClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` once, when this many milliseconds have been let pass. What it returns cancels that. */
  after(ms: number, task: () => void): () => void;
  /**
   * Lets time pass: everything that is due happens in its order, each time with all that follows from it. Resolves when
   * nothing is left to do at the new time.
   */
  advance(ms: number): Promise<void>;
}

export class VirtualClock implements TestClock {
  readonly now: Clock["now"];
  readonly after: Clock["after"];
  readonly #time: VirtualTime;
  readonly #pump: Pump;
  #last: Promise<void> = Promise.resolve();

  constructor({ now, after }: Clock, time: VirtualTime, pump: Pump) {
    this.now = now;
    this.after = after;
    this.#time = time;
    this.#pump = pump;
  }

  advance(ms: number): Promise<void> {
    this.#last = this.#last.then(() => this.#pass(ms));
    return this.#last;
  }

  async #pass(ms: number): Promise<void> {
    await this.#pump.quiescent();
    const end = this.#time.elapsed + ms;
    for (;;) {
      const due = this.#time.nextDue;
      if (due === undefined || due > end) break;
      this.#time.passTo(due);
      await this.#pump.quiescent();
    }
    this.#time.passTo(end);
  }
}
