/**
 * The owners whose pages went into the back/forward cache in the middle of an operation: there they would keep their keys for
 * minutes. `locks.query()` makes Chromium evict a cached page that holds a lock, so that the claim falls into doubt as for a
 * closed tab. It evicts other cached pages too, and is asked for nothing else.
 */
export class FrozenOwners {
  readonly #owners = new Set<string>();
  readonly #locks: LockManager;

  constructor(locks: LockManager) {
    this.#locks = locks;
  }

  add(owner: string): void {
    this.#owners.add(owner);
  }

  /** The owner's lock is free: its page was evicted, or is back. */
  remove(owner: string): void {
    this.#owners.delete(owner);
  }

  /** Somebody waits for a key of this owner. */
  isWaitedFor(owner: string): void {
    if (this.#owners.has(owner)) this.#locks.query().catch(() => {});
  }
}
