import { ConformanceError, checkLockManager, type LockSpace } from "../../../src/testing/index.js";

/** Names of the checks that fail. */
export async function failuresOf<Locks extends LockManager>(
  create: () => LockSpace<Locks>,
  timeoutMs: number,
): Promise<readonly string[]> {
  try {
    await checkLockManager(create, { timeoutMs });
    return [];
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    return error.failed.map(({ name }) => name);
  }
}
