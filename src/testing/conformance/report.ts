/** A check that was not made. */
export interface SkippedCheck {
  readonly name: string;
  /** Which optional feature is openly missing. */
  readonly reason: string;
}

/** What a subject was found to do. */
export interface ConformanceReport {
  /** Names of the checks that passed, in their order. */
  readonly passed: readonly string[];
  readonly skipped: readonly SkippedCheck[];
}

/** A check that failed. */
export interface FailedCheck {
  readonly name: string;
  /** What happened in place of what should have. */
  readonly reason: string;
}

/** At least one check failed. The message lists every failed check with its reason. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";

  /**
   * @param subject What was checked.
   * @param failed The faults.
   * @param unmade Names of the checks that build on a failed one and were therefore not made.
   */
  constructor(
    subject: string,
    readonly failed: readonly FailedCheck[],
    readonly unmade: readonly string[],
  ) {
    const faults = failed.map(({ name, reason }) => `\n  - ${name}: ${reason}`).join("");
    const rest = unmade.map((name) => `\n  - ${name}`).join("");
    super(
      `This ${subject} breaks its contract. Failed:${faults}` +
        (rest && `\nNot checked, because they build on what failed:${rest}`),
    );
  }
}
