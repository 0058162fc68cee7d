import type { Clock } from "../src/clock.js";
import type { Replays } from "../stores/replays.js";

/** How long a purge may wait for other coordinators, in milliseconds. */
const PURGE_MS = 5_000;
/** For so long the memory is not used again after it was given back for a purge, whose own request may still be on its way. */
const PAUSE_MS = 1_000;

/** What {@link MemoryLease} needs. */
export interface MemoryLeaseOptions {
  /** Whether anything is to be answered from memory. If not, this one purges as all do. */
  readonly wanted: boolean;
  readonly replays: Replays;
  readonly locks: LockManager;
  readonly lockName: string;
  readonly clock: Clock;
  /** Asks every other coordinator of the profile to give its memory back. */
  readonly announcePurge: () => void;
}

/**
 * The right to answer from memory. Each coordinator that does so shares a lock, and a purge takes it alone: once it has
 * it, no memory is left that could be older than the purge.
 */
export class MemoryLease {
  readonly #options: MemoryLeaseOptions;
  #giveBack: (() => void) | undefined;
  #paused = false;

  constructor(options: MemoryLeaseOptions) {
    this.#options = options;
  }

  /** Makes sure that the right was asked for. It comes later, and until then nothing is kept. */
  take(): void {
    const { wanted, locks, lockName, replays } = this.#options;
    if (!wanted || this.#giveBack || this.#paused) return;
    const withdrawal = new AbortController();
    let release: () => void = () => withdrawal.abort();
    const giveBack = () => release();
    this.#giveBack = giveBack;
    locks
      .request(lockName, { mode: "shared", signal: withdrawal.signal }, () => {
        if (withdrawal.signal.aborted) return undefined;
        replays.open();
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      })
      .catch(() => {})
      .finally(() => {
        // Not asked for: the browser took the lock, and with it the right.
        if (this.#giveBack === giveBack) this.release();
      });
  }

  /** Forgets everything and gives the right back. */
  release(): void {
    this.#options.replays.clear();
    this.#giveBack?.();
    this.#giveBack = undefined;
  }

  /** Another coordinator wants to purge. */
  yield(): void {
    this.release();
    this.#paused = true;
    this.#options.clock.after(PAUSE_MS, () => {
      this.#paused = false;
    });
  }

  /**
   * Runs a purge while nobody answers from memory.
   * @throws {DOMException} `TimeoutError` if another coordinator keeps its right: nothing was purged then.
   */
  async alone<T>(purge: () => Promise<T>): Promise<T> {
    const { locks, lockName, clock, announcePurge } = this.#options;
    this.release();
    const patience = new AbortController();
    const cancel = clock.after(PURGE_MS, () =>
      patience.abort(
        new DOMException(
          `Another worker of this profile did not answer within ${PURGE_MS} ms. Nothing was purged: try again, or close other tabs.`,
          "TimeoutError",
        ),
      ),
    );
    announcePurge();
    return await locks
      .request(lockName, { signal: patience.signal }, () => {
        cancel();
        return purge();
      })
      .finally(cancel);
  }
}
