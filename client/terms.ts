import type { Terms } from "../worker/protocol.js";

/** How long and how many outputs are kept for replays. */
export interface Retention {
  /**
   * For how long the output of a completed operation is replayed, in milliseconds. After that its key is free, and a call with
   * it runs the handler again. Default 24 hours.
   */
  readonly completedMs?: number | undefined;
  /** How many completed operations the profile keeps: of more, the first to expire go first. Default 10,000. */
  readonly maxCompleted?: number | undefined;
}

/** The part of the options that says on what terms outputs are stored. */
export interface TermsOptions {
  /**
   * How sure the storing of an output is: `"strict"`, the default, is on the disk; `"relaxed"` is with the system, is faster,
   * and may be undone by a power cut, which leaves the operation in doubt together with its journal entry. Claims, journal
   * entries, and outputs of operations without an entry are strict either way.
   */
  readonly durability?: "strict" | "relaxed" | undefined;
  /** Bounds how long an answer can be replayed. Operations in doubt are kept until they are resolved. */
  readonly retention?: Retention | undefined;
}

const DAY_MS = 86_400_000;

/** Checks and completes the options. @throws {TypeError} for options out of bounds. */
export function termsOf({ durability = "strict", retention = {} }: TermsOptions): Terms {
  if (durability !== "strict" && durability !== "relaxed") {
    throw new TypeError('connectProfile: `durability` must be "strict" or "relaxed".');
  }
  const { completedMs = DAY_MS, maxCompleted = 10_000 } = retention;
  for (const [name, value] of Object.entries({ completedMs, maxCompleted })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new TypeError(`connectProfile: \`retention.${name}\` must be a whole number above 0.`);
  }
  return { durability, completedMs, maxCompleted };
}

/** Whether the outputs of both are stored on the same terms. */
export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.durability === b.durability &&
  a.completedMs === b.completedMs &&
  a.maxCompleted === b.maxCompleted;
