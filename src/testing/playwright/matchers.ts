import { type Expect, type ExpectMatcherState, expect as playwrightExpect } from "@playwright/test";
import { canonicalJson } from "../../fingerprint.js";
import type { OperationInfo } from "../../operations.js";
import type { ToolResult } from "./result.js";

/** What a matcher found. */
interface Finding {
  readonly pass: boolean;
  readonly message: () => string;
}

const matchers = {
  toHaveConverged(this: ExpectMatcherState, results: readonly ToolResult[]): Finding {
    const heard = results.filter(({ status }) => status !== "gone");
    const [first] = heard;
    const equal = heard.every((result) => answeredAs(result, first));
    const executed = heard.filter(({ stages }) => stages.includes("executed")).length;
    const expected = "one answer in all calls, and at most one that ran the handler";
    return finding(this, first !== undefined && equal && executed <= 1, expected, results);
  },

  toBeReplayed(this: ExpectMatcherState, result: ToolResult): Finding {
    const pass = result.status === "answered" && result.stages.includes("replayed");
    return finding(this, pass, "a stored answer", [result]);
  },

  toBeInDoubt(this: ExpectMatcherState, subject: ToolResult | OperationInfo | undefined): Finding {
    if (!subject) return { pass: false, message: () => "There is no such operation." };
    if ("state" in subject) {
      const { key, state } = subject;
      const message = () =>
        `Expected "${key}" ${this.isNot ? "not " : ""}to be in doubt. It is ${state}.`;
      return { pass: state === "in_doubt", message };
    }
    const pass = subject.status === "failed" && subject.error.code === "outcome_unknown";
    return finding(this, pass, "an unknown outcome", [subject]);
  },
};

/**
 * Playwright's `expect` with three more matchers. In a project with an `expect` of its own: `mergeExpects(yours, expect)`.
 *
 * - `expect(results).toHaveConverged()`: every caller was answered, all with the same output, and at most one of the calls ran the
 *   handler. Calls whose page is gone heard no answer and don't count, but one must have been answered.
 * - `expect(result).toBeReplayed()`: the call was answered with a stored output; its handler did not run.
 * - `expect(result).toBeInDoubt()`: nobody can tell whether the effect happened: a call ended with `outcome_unknown`, or an operation
 *   is stored as `in_doubt`.
 */
export const expect: Expect<typeof matchers> = playwrightExpect.extend(matchers);

function answeredAs(result: ToolResult, other: ToolResult | undefined): boolean {
  return (
    result.status === "answered" &&
    other?.status === "answered" &&
    canonicalJson(result.output) === canonicalJson(other.output)
  );
}

function finding(
  { isNot }: ExpectMatcherState,
  pass: boolean,
  expected: string,
  results: readonly ToolResult[],
): Finding {
  const found = results.map((result, index) => `\n  ${index + 1}. ${sentence(result)}`).join("");
  return {
    pass,
    message: () =>
      `Expected ${isNot ? "anything but " : ""}${expected}. The calls:${found || " none"}`,
  };
}

function sentence(result: ToolResult): string {
  const stages = result.stages.length > 0 ? ` [${result.stages.join(", ")}]` : "";
  switch (result.status) {
    case "answered":
      return `answered ${JSON.stringify(result.output)}${stages}`;
    case "failed":
      return `failed with ${result.error.name}: ${result.error.message}${stages}`;
    case "cancelled":
      return `cancelled${stages}`;
    case "gone":
      return "its page is gone";
    default:
      return result satisfies never;
  }
}
