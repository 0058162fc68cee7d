import type { Clock } from "../../clock.js";
import type { Process, Schedule } from "./schedule.js";

interface Timer {
  readonly process: Process;
  readonly due: number;
  /** Puts the task on its process's lane. */
  readonly fire: () => void;
}

/** What a virtual clock shows first: 1 January 2026, so that a test reads the same on every day. */
const START = Date.UTC(2026, 0, 1);

/** Time that passes only when it is told to. */
export class VirtualTime {
  readonly #schedule: Schedule;
  readonly #timers = new Set<Timer>();
  #elapsed = 0;
  #offset = START;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** Milliseconds since the beginning, whatever clocks show. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** What clocks show, in epoch milliseconds. */
  get now(): number {
    return this.#elapsed + this.#offset;
  }

  /** When the next timer of a process that lives is due. */
  get nextDue(): number | undefined {
    let next: number | undefined;
    for (const { process, due } of this.#timers) {
      if (process.state !== "dead" && (next === undefined || due < next)) next = due;
    }
    return next;
  }

  /** How many timers of a process are not due yet. */
  timersOf(process: Process): number {
    return [...this.#timers].filter((timer) => timer.process === process).length;
  }

  /** The clock of one process: its timers end with it, and wait while it is stopped. */
  clockOf(process: Process): Clock {
    const lane = this.#schedule.lane(process, `timers of ${process.name}`);
    return {
      now: () => this.now,
      after: (ms, task) => {
        let cancelled = false;
        const timer: Timer = {
          process,
          due: this.#elapsed + Math.max(0, ms),
          fire: () =>
            lane.push(() => {
              if (!cancelled) task();
            }, `after ${ms} ms`),
        };
        this.#timers.add(timer);
        return () => {
          cancelled = true;
          this.#timers.delete(timer);
        };
      },
    };
  }

  /** Lets time pass until then. What is due can happen now, in the order in which it was due. */
  passTo(elapsed: number): void {
    this.#elapsed = Math.max(this.#elapsed, elapsed);
    const due = [...this.#timers].filter((timer) => timer.due <= this.#elapsed);
    for (const timer of due.sort((a, b) => a.due - b.due)) {
      this.#timers.delete(timer);
      timer.fire();
    }
  }

  /** The system's clock is set to another time: no timer is due earlier or later for it. */
  jump(ms: number): void {
    this.#offset += ms;
  }
}
