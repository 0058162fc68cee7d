import { ConformanceError, checkLockManager, type LockSpace } from "signett/testing";

/** What a lock manager was found to do: names of checks. */
export interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly unmade: readonly string[];
}

/** Checks a lock manager, and gives the faults as data. */
export async function outcomeOf(create: () => LockSpace): Promise<Outcome> {
  try {
    // Opening a client is loading a frame.
    const { passed } = await checkLockManager(create, { timeoutMs: 10_000 });
    return { passed, failed: [], unmade: [] };
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    const { failed, unmade } = error;
    return { passed: [], failed: failed.map(({ name }) => name), unmade };
  }
}
