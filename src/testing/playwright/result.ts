import type { Stage } from "../../events.js";
import type { Via } from "./page-side.js";

/** An error as the tool threw it. */
export interface ToolFailure {
  readonly name: string;
  /** Of Signett's errors and of `ToolError`. */
  readonly code?: string;
  readonly message: string;
}

/** How a call ended. */
export type CallEnd =
  | { readonly status: "answered"; readonly output: unknown }
  | { readonly status: "failed"; readonly error: ToolFailure }
  /** The agent took it back. The tool may run on: its signal has aborted. */
  | { readonly status: "cancelled" }
  /** The page was closed, crashed or showed another document. Nobody gets an answer then. */
  | { readonly status: "gone" };

/** What an agent outside of the page learns of its call. */
export type ToolResult = CallEnd & {
  /** How the call came into the page. */
  readonly via: Via;
  /**
   * The stages that the call went through until it ended. Empty when the page is gone, when the tool is none of Signett's, or
   * when the page was opened before its context was prepared by `openTabs`.
   */
  readonly stages: readonly Stage[];
};

/** A call on its way. It rejects only when it could not be made: no such tool, no WebMCP. */
export type ToolCall = Promise<ToolResult>;
