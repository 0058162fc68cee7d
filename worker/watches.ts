/**
 * Waits for the deaths of lock holders. Being granted a holder's lock is the proof that it is gone; an earlier grant
 * proves nothing about a later holder, so each watch is used once.
 */
export class Watches {
  readonly #pending = new Map<string, AbortController>();
  readonly #locks: LockManager;
  readonly #lockName: (owner: string) => string;
  readonly #died: (owner: string) => void;

  constructor(options: {
    readonly locks: LockManager;
    readonly lockName: (owner: string) => string;
    /** Called when the owner's lock was granted, and after it was given back. */
    readonly died: (owner: string) => void;
  }) {
    this.#locks = options.locks;
    this.#lockName = options.lockName;
    this.#died = options.died;
  }

  /** Whether the owner holds its lock right now. A death that is found here is told as any other. */
  isAlive(owner: string): Promise<boolean> {
    this.watch(owner);
    const options = { mode: "shared", ifAvailable: true } as const;
    return this.#locks.request(this.#lockName(owner), options, (lock) => lock === null);
  }

  /** Makes sure that a request for the owner's lock is pending. Answers `true` if it had to make one. */
  watch(owner: string): boolean {
    if (this.#pending.has(owner)) return false;
    const withdrawal = new AbortController();
    this.#pending.set(owner, withdrawal);
    // `shared`, and given back before any work: a coordinator that hangs must not keep the verdict from the others.
    this.#locks
      .request(this.#lockName(owner), { mode: "shared", signal: withdrawal.signal }, () => {})
      .then(
        () => {
          this.#pending.delete(owner);
          this.#died(owner);
        },
        // Withdrawn, or refused by the browser (the worker is going away): nothing is known about the owner.
        () => void this.#pending.delete(owner),
      );
    return true;
  }

  /** Whether the owner's death is being waited for. */
  watches(owner: string): boolean {
    return this.#pending.has(owner);
  }

  /** Waits for nobody any more. */
  close(): void {
    for (const withdrawal of this.#pending.values()) withdrawal.abort();
  }
}
