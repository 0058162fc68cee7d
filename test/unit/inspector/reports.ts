import type { ActivityReport, Progress } from "../../../src/contracts.js";
import type { Stage } from "../../../src/events.js";
import { CallLog, type LoggedCall } from "../../../src/inspector/model/call-log.js";

/** When the first call of a test began, in epoch milliseconds. */
export const START = 1_000_000;

export interface Story {
  readonly id: string;
  readonly tab?: string;
  readonly tool?: string;
  readonly key?: string;
  readonly progress?: Progress;
  /** Milliseconds after {@link START}. */
  readonly from?: number;
  /** Each stage, and when it came, in milliseconds after {@link START}. */
  readonly stages: readonly (readonly [Stage, number])[];
  readonly error?: { readonly name: string; readonly code?: string };
}

/** What a tab reports of one call. */
export function reportsOf({
  id,
  tab = "A",
  tool = "pay",
  key,
  from = 0,
  stages,
  error,
  progress,
}: Story): readonly ActivityReport[] {
  return stages.map(([stage, at]) => ({
    tab,
    key,
    progress,
    event: {
      invocationId: id,
      name: tool,
      stage,
      timestamp: START + at,
      durationMs: at - from,
      error,
    },
  }));
}

/** A log that was told these stories, one after the other. */
export function logOf(...stories: readonly Story[]): CallLog {
  const log = new CallLog();
  for (const story of stories) for (const report of reportsOf(story)) log.add(report);
  return log;
}

/** The call of a story alone. */
export function callOf(story: Omit<Story, "id">): LoggedCall {
  const [call] = logOf({ id: "call", ...story }).calls;
  if (!call) throw new Error("The story has no stages of a call.");
  return call;
}
