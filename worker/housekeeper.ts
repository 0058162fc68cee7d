import type { Clock } from "../src/clock.js";
import type { Administration } from "../stores/administration.js";
import type { Terms } from "./protocol.js";

/** How often the worker sweeps while it lives, in milliseconds. */
const SWEEP_EVERY_MS = 600_000;
/** A sweep is due, too, when so many operations have completed since the last: one part of those that may be kept. */
const PART = 10;

/**
 * Sweeps what has expired and what is too much: when the first tab joins, on a schedule, and when the disk is full. Each
 * transaction takes some records only, so that calls get in between.
 */
export class Housekeeper {
  readonly #administration: Administration;
  readonly #clock: Clock;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #swept: (keys: readonly string[]) => void;
  /** Of the tab that has joined last. */
  #maxCompleted = Number.POSITIVE_INFINITY;
  #begun = false;
  #closed = false;
  /** Cancels the next regular sweep. */
  #next: () => void = () => {};
  #completed = 0;
  #sweeping: Promise<number> | undefined;

  constructor(options: {
    readonly administration: Administration;
    readonly clock: Clock;
    /** Runs it while nobody answers from memory. */
    readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
    /** Called when records were removed. */
    readonly swept: (keys: readonly string[]) => void;
  }) {
    this.#administration = options.administration;
    this.#clock = options.clock;
    this.#alone = options.alone;
    this.#swept = options.swept;
  }

  /** A tab has joined: its page is the newest, and so are its terms. */
  joined({ maxCompleted }: Terms): void {
    this.#maxCompleted = maxCompleted;
    if (this.#begun) return;
    this.#begun = true;
    this.#sweepForEver();
  }

  /** Sweeps no more. */
  close(): void {
    this.#closed = true;
    this.#next();
  }

  /** An operation has completed. */
  completed(): void {
    this.#completed += 1;
    if (this.#completed * PART > this.#maxCompleted) this.#sweepInBackground();
  }

  /** Stores something; on a full disk once more, if a sweep could make room. */
  async withRoom<T>(store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      const freed = full ? await this.#sweep().catch(() => 0) : 0;
      if (freed === 0) throw error;
      return await store();
    }
  }

  #sweepForEver(): void {
    this.#sweepInBackground();
    this.#next = this.#clock.after(SWEEP_EVERY_MS, () => this.#sweepForEver());
  }

  #sweepInBackground(): void {
    // What fails now is swept the next time.
    this.#sweep().catch(() => {});
  }

  /** One sweep at a time; who asks meanwhile gets its answer. */
  #sweep(): Promise<number> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweepAll(): Promise<number> {
    this.#completed = 0;
    const expired = await this.#sweepAbove(Number.POSITIVE_INFINITY);
    // A coordinator that hangs can keep its memory: what is too much is then swept another time.
    return expired + (await this.#sweepTooMany().catch(() => 0));
  }

  /** What has not expired is still replayed, from memory too. */
  async #sweepTooMany(): Promise<number> {
    if ((await this.#administration.expiring()) <= this.#maxCompleted) return 0;
    return await this.#alone(() => this.#sweepAbove(this.#maxCompleted));
  }

  async #sweepAbove(maxCompleted: number): Promise<number> {
    let all = 0;
    while (!this.#closed) {
      const keys = await this.#administration.sweep({ maxCompleted });
      if (keys.length === 0) break;
      all += keys.length;
      this.#swept(keys);
    }
    return all;
  }
}
