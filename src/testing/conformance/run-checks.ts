import { Lacking } from "./expectations.js";
import {
  ConformanceError,
  type ConformanceReport,
  type FailedCheck,
  type SkippedCheck,
} from "./report.js";

/** One statement about a subject, proven in a world of its own. */
export interface Check<World> {
  /** Says what the subject does when it passes. */
  readonly name: string;
  /** Earlier checks that this one builds on: when one of them fails, this one could only repeat its fault. */
  readonly after?: readonly Check<World>[];
  readonly run: (world: World) => Promise<void>;
}

/** What a check works in, and how it ends. */
export interface Opened<World> {
  readonly world: World;
  readonly close: () => Promise<void>;
}

/**
 * Makes the checks one after the other.
 * @throws {ConformanceError} that lists every check that failed.
 */
export async function runChecks<World>(
  subject: string,
  checks: readonly Check<World>[],
  open: () => Promise<Opened<World>>,
): Promise<ConformanceReport> {
  const passed: string[] = [];
  const skipped: SkippedCheck[] = [];
  const failed: FailedCheck[] = [];
  const unmade: string[] = [];
  const faulty = new Set<Check<World>>();
  for (const check of checks) {
    const { name, after = [], run } = check;
    if (after.some((earlier) => faulty.has(earlier))) {
      faulty.add(check);
      unmade.push(name);
      continue;
    }
    try {
      await runIn(open, run);
      passed.push(name);
    } catch (error) {
      if (error instanceof Lacking) {
        skipped.push({ name, reason: error.message });
      } else {
        faulty.add(check);
        failed.push({ name, reason: messageOf(error) });
      }
    }
  }
  if (failed.length > 0) throw new ConformanceError(subject, failed, unmade);
  return { passed, skipped };
}

async function runIn<World>(
  open: () => Promise<Opened<World>>,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const { world, close } = await open();
  try {
    await run(world);
  } finally {
    await close();
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
