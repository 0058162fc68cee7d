import type { Clock } from "../src/clock.js";
import { afterAwake } from "./deadline.js";

/** How often a coordinator is asked whether it still answers, and how long it may take to, in milliseconds. */
const EVERY_MS = 5_000;
const ANSWER_MS = 5_000;

/** Whoever is asked for a sign of life, and what to do if none comes. */
interface Patient {
  readonly ping: () => Promise<unknown>;
  readonly silent: () => void;
}

/**
 * Feels whether a coordinator still answers, while somebody waits for it: a worker can hang without an event, and a call
 * that waits for another tab has no deadline of its own.
 */
export class Pulse {
  readonly #clock: Clock;
  /** Whoever somebody waits for. */
  #patient: Patient | undefined;
  /** The next feel is due. It stays so while nobody waits: calls that follow each other share one timer. */
  #due = false;
  /** Cancels the deadline of a feel. */
  #feeling: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins, unless it has. */
  start(patient: Patient): void {
    this.#patient ??= patient;
    if (this.#due || this.#feeling) return;
    this.#due = true;
    this.#clock.after(EVERY_MS, () => {
      this.#due = false;
      if (this.#patient) this.#feel(this.#patient);
    });
  }

  stop(): void {
    this.#patient = undefined;
    this.#feeling?.();
    this.#feeling = undefined;
  }

  #feel(patient: Patient): void {
    const cancel = afterAwake(this.#clock, ANSWER_MS, patient.silent);
    this.#feeling = cancel;
    const answered = () => {
      if (this.#feeling !== cancel) return;
      cancel();
      this.#feeling = undefined;
      this.start(patient);
    };
    // A refusal is an answer too; what it means is for the request that somebody waits for.
    patient.ping().then(answered, answered);
  }
}
