import { readFileSync } from "node:fs";

/**
 * What a test run did. A test that passed only when it was tried again counts as failed.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 */

/**
 * How a part ended: an exit code, for tests how many passed, and what was wrong if the code does not say it.
 *
 * @typedef {{ code: number, passed?: number, problem?: string }} Result
 */

/**
 * Reads the report of Vitest's JSON reporter.
 *
 * @param {string} path
 * @returns {Tally}
 */
export function readVitest(path) {
  const report = JSON.parse(readFileSync(path, "utf8"));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Reads the report of Playwright's JSON reporter.
 *
 * @param {string} path
 * @returns {Tally}
 */
export function readPlaywright(path) {
  const { stats } = JSON.parse(readFileSync(path, "utf8"));
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  };
}

/**
 * Decides whether a test run was a good one: an exit code of 0 is not enough when nothing ran, and a skipped
 * test is a gap that CI does not accept.
 *
 * @param {number} code The runner's exit code.
 * @param {() => Tally} read Reads its report, which a run that failed may not have written.
 * @returns {Result}
 */
export function judge(code, read) {
  if (code !== 0) return { code };
  const { passed, failed, skipped } = read();
  if (failed > 0) return { code: 1, problem: `${failed} failed or passed only when tried again` };
  if (passed === 0) return { code: 1, problem: "no test ran" };
  if (skipped > 0) {
    if (process.env.CI) return { code: 1, problem: `${skipped} skipped, which CI does not accept` };
    console.log(`${skipped} skipped`);
  }
  return { code: 0, passed };
}
