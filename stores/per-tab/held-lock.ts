import { ClaimLostError } from "../../src/errors.js";

/** A Web Lock that this tab holds. */
export interface HeldLock {
  /** Aborts, with a `ClaimLostError`, when the lock ends unasked: other tabs take this one for dead. */
  readonly lost: AbortSignal;
  /** Gives the lock back. Idempotent. */
  release(): void;
}

/**
 * Takes the lock, first come, first served among those that wait.
 *
 * @param waits Called when the lock is not free; rejects if waiting for it is of no use.
 * @throws the signal's own reason.
 */
export function holdLock(
  locks: LockManager,
  name: string,
  { signal, waits }: { readonly signal: AbortSignal; readonly waits: () => Promise<void> },
): Promise<HeldLock> {
  const lost = new AbortController();
  const lose = () => lost.abort(new ClaimLostError());
  return new Promise((resolve, reject) => {
    const hold = () =>
      new Promise<void>((end) => {
        // WebKit takes the locks of pages in its back/forward cache: whoever returns may have been taken for dead.
        const shown = ({ persisted }: PageTransitionEvent) => {
          if (!persisted) return;
          lose();
          release();
        };
        const release = () => {
          globalThis.removeEventListener?.("pageshow", shown);
          end();
        };
        globalThis.addEventListener?.("pageshow", shown);
        resolve({ lost: lost.signal, release });
      });
    locks
      .request(name, { ifAvailable: true }, async (free) => {
        if (free) return hold();
        await waits();
        return locks.request(name, { signal }, hold);
      })
      .catch((error: unknown) => {
        reject(error);
        // Once the lock was granted, only somebody else can have ended it.
        lose();
      });
  });
}
