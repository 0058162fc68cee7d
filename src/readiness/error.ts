import { MAX_MESSAGE, SignettError } from "../signett-error.js";
import { bounded, more } from "../text.js";
import type { ReadinessFinding } from "./finding.js";

const END = ". See `findings` for what to do.";

/** The tool is not ready for agents. Its message names as many of the findings as fit into 1,000 characters. */
export class ToolReadinessError extends SignettError {
  static override readonly errorName = "ToolReadinessError";
  readonly code = "tool_not_ready";
  /** Every finding, frozen. */
  readonly findings: readonly ReadinessFinding[];

  /** @param toolName The tool, for the message. */
  constructor(toolName: string, findings: readonly ReadinessFinding[]) {
    const start = `Tool "${bounded(toolName, 64)}" is not ready for agents: `;
    super(start + summary(findings, MAX_MESSAGE - start.length - END.length) + END);
    this.findings = Object.freeze([...findings]);
  }
}

/** Stops at the first finding that does not fit: the paths of deep schemas are too long to look at all of them. */
function summary(findings: readonly ReadinessFinding[], room: number): string {
  let text = "";
  let count = 0;
  for (const { code, path } of findings) {
    const longer = `${text}${count === 0 ? "" : ", "}${bounded(path, 120)} (${code})`;
    if (longer.length + more(findings.length - count - 1).length > room) break;
    text = longer;
    count += 1;
  }
  return text + more(findings.length - count);
}
