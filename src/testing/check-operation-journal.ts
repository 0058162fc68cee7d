import { Deadline } from "./conformance/deadline.js";
import { journalChecks } from "./conformance/journal-checks.js";
import { type JournalSpace, type JournalTab, JournalWorld } from "./conformance/journal-world.js";
import type { ConformanceReport } from "./conformance/report.js";
import { runChecks } from "./conformance/run-checks.js";

/** Options of {@link checkOperationJournal}. */
export interface JournalCheckOptions {
  /** How long the journal may take for one call, in milliseconds, before the check that made it fails. Default 2,000. */
  readonly timeoutMs?: number;
}

/**
 * Proves that a journal keeps the contract of {@link OperationJournal}: entries per key, overwriting, removing, and what
 * other tabs see. Each check has a space of its own.
 *
 * Without any test framework: it resolves with the checks that passed and those that were skipped because the journal
 * openly lacks an optional feature: the scope `"profile"`, a store that it belongs to, or a `crash` of its space.
 *
 * @param create Makes an empty space, and is called once a check.
 * @throws {ConformanceError} that lists every check that failed, by name and reason.
 */
export async function checkOperationJournal<Tab extends JournalTab>(
  create: () => Promise<JournalSpace<Tab>> | JournalSpace<Tab>,
  { timeoutMs = 2_000 }: JournalCheckOptions = {},
): Promise<ConformanceReport> {
  const deadline = new Deadline(timeoutMs);
  return await runChecks("operation journal", journalChecks, async () => {
    const world = new JournalWorld(await create(), deadline);
    return { world, close: () => world.close() };
  });
}
