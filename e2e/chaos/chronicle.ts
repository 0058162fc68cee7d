import type { OperationInfo } from "signett";
import type { ToolResult } from "signett/testing/playwright";
import type { Effect } from "../support/demo-server.js";
import type { Occurrence } from "./faults.js";

/** What came of a call, as the agent knows it. */
export type CallEnd =
  | ToolResult
  /** It was still on when the run ended. */
  | { readonly status: "open" }
  /** The page refused or lost it before it had an end. */
  | { readonly status: "unheard"; readonly why: string };

/** One call, from when it was sent until its end. Times are milliseconds of the run. */
export interface MadeCall {
  readonly key: string;
  readonly orderId: string;
  /** The document that made it: a tab that is reloaded has another one. */
  readonly document: number;
  readonly from: number;
  readonly to: number;
  readonly end: CallEnd;
  /** Made after the faults had stopped, to see what became of the key. */
  readonly last: boolean;
}

/** A document whose scripts did not run. */
export interface Stillness {
  readonly document: number;
  readonly from: number;
  readonly to: number;
}

/** All that a run is judged by. */
export interface Chronicle {
  readonly calls: readonly MadeCall[];
  readonly stillnesses: readonly Stillness[];
  readonly faults: readonly Occurrence[];
  readonly effects: readonly Effect[];
  /** How many of the tabs that went away came back from the back/forward cache. */
  readonly restored: number;
  /** What the profile has stored in the end, by key. */
  readonly stored: ReadonlyMap<string, OperationInfo["state"]>;
}
