import type { SignettError, ValidationError } from "./errors.js";
import { jsonCopy } from "./output.js";
import type { ToolError } from "./tool-error.js";

/** A failure in the shape of an MCP `CallToolResult`, for hosts that drop what is thrown. */
export interface FailureResult {
  readonly isError: true;
  readonly content: readonly [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent: {
    readonly code: string;
    readonly retry?: unknown;
    readonly repair?: unknown;
    readonly issues?: unknown;
  };
}

/** Turns an error into plain data. A `ToolError`'s `details` stay in the application. */
export function resultOf(error: SignettError): FailureResult {
  return {
    isError: true,
    content: [{ type: "text", text: error.message }],
    structuredContent: { code: error.code, ...particularsOf(error) },
  };
}

/** Told by their fields, not by their class: an application that makes no `ToolError` does not load it. */
function particularsOf({
  issues,
  retry,
  repair,
}: SignettError & Partial<Pick<ToolError, "retry" | "repair"> & Pick<ValidationError, "issues">>) {
  if (issues) return { issues };
  if (!retry) return {};
  const guidance = data(repair);
  return { retry, ...(guidance === undefined ? {} : { repair: guidance }) };
}

/** The application made it: what is no JSON data is left out, and its text is in the message. */
function data(value: unknown): unknown {
  try {
    return jsonCopy(value);
  } catch {
    return undefined;
  }
}
