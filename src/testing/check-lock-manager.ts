import { Deadline } from "./conformance/deadline.js";
import { asking } from "./conformance/lock-asking.js";
import { dying } from "./conformance/lock-dying.js";
import { holding } from "./conformance/lock-holding.js";
import { sharing } from "./conformance/lock-sharing.js";
import { type LockSpace, LockWorld } from "./conformance/lock-world.js";
import type { ConformanceReport } from "./conformance/report.js";
import { runChecks } from "./conformance/run-checks.js";

/** Options of {@link checkLockManager}. */
export interface LockCheckOptions {
  /** How long the manager may take for one grant, in milliseconds, before the check that waits fails. Default 2,000. */
  readonly timeoutMs?: number;
}

const checks = [...holding, ...sharing, ...asking, ...dying];

/**
 * Proves that a lock manager gives what coordination rests on (Web Locks, W3C): exclusion from the first request on, turns,
 * `shared`, `ifAvailable`, aborts, the callback's value, `query`, and holders that lose a lock by dying and by nothing else.
 * `steal` is not checked: nothing here may use it. Each check has a space of its own.
 *
 * Without any test framework: it resolves with the checks that passed and those that were skipped because the space has
 * no `crash` or no `freeze`.
 *
 * @param create Makes a space whose locks are all free, and is called once a check.
 * @throws {ConformanceError} that lists every check that failed, by name and reason.
 */
export async function checkLockManager<Locks extends LockManager>(
  create: () => Promise<LockSpace<Locks>> | LockSpace<Locks>,
  { timeoutMs = 2_000 }: LockCheckOptions = {},
): Promise<ConformanceReport> {
  const deadline = new Deadline(timeoutMs);
  return await runChecks("lock manager", checks, async () => {
    const world = new LockWorld(await create(), deadline);
    return { world, close: () => world.close() };
  });
}
