import type { LifecycleEvent } from "signett";
import type { Request } from "./answers.js";

type Stage = LifecycleEvent["stage"];

/** How a call came to its result. */
type Source = "executed" | "replayed" | "recovered";

/** One call as the tabs show it. */
export interface TabCall {
  readonly invocationId: string;
  readonly tool: string;
  /** The last stage that tells a person something. */
  readonly stage: Stage;
  readonly source?: Source;
  readonly error?: NonNullable<LifecycleEvent["error"]>;
  /** Known for calls that the page's own agent panel made; events hold no input. */
  readonly orderId?: string;
  readonly operationId?: string;
}

/** One open tab, and its recent calls, newest first. */
export interface Tab {
  readonly id: string;
  readonly number: number;
  readonly calls: readonly TabCall[];
}

export function startCall(event: LifecycleEvent, request: Request | undefined): TabCall {
  const { orderId, operationId } = request?.input ?? {};
  return {
    invocationId: event.invocationId,
    tool: event.name,
    stage: event.stage,
    ...(orderId !== undefined && { orderId }),
    ...(operationId !== undefined && { operationId }),
  };
}

export function withEvent(call: TabCall, { stage, error }: LifecycleEvent): TabCall {
  // Diagnostics say something about a call, not where it is.
  if (!(stage in progress)) return call;
  const source = stage === "executed" || stage === "replayed" || stage === "recovered";
  return { ...call, stage, ...(source && { source: stage }), ...(error && { error }) };
}

/** How a call is shown: its words, and the tone that its mark takes. */
export interface Progress {
  readonly words: string;
  readonly tone: "busy" | "asking" | "good" | "bad" | "doubt";
}

const progress: { readonly [S in Stage]?: Progress } = {
  started: { words: "checking the input", tone: "busy" },
  validated: { words: "checking permission", tone: "busy" },
  authorized: { words: "under way", tone: "busy" },
  waiting: { words: "waiting for another tab", tone: "busy" },
  claimed: { words: "the key is free, going on", tone: "busy" },
  confirmation_requested: { words: "asking for approval", tone: "asking" },
  confirmed: { words: "executing", tone: "busy" },
  declined: { words: "declined", tone: "bad" },
  executed: { words: "executed, verifying", tone: "busy" },
  replayed: { words: "stored answer found, verifying", tone: "busy" },
  recovered: { words: "recovered, verifying", tone: "busy" },
  completed_after_abort: { words: "finished after the caller left", tone: "busy" },
  verified: { words: "verified, storing the answer", tone: "busy" },
  succeeded: { words: "succeeded", tone: "good" },
  failed: { words: "failed", tone: "bad" },
  outcome_unknown: { words: "outcome unknown", tone: "doubt" },
};

const succeeded: Record<Source, string> = {
  executed: "succeeded · executed here",
  replayed: "succeeded · stored answer replayed",
  recovered: "succeeded · recovered from the receipt",
};

export function describeCall({ stage, source, error }: TabCall): Progress {
  const { words, tone } = progress[stage] ?? { words: stage, tone: "busy" };
  if (stage === "succeeded" && source) return { words: succeeded[source], tone };
  if (stage === "failed" && error) return { words: `failed · ${error.code ?? error.name}`, tone };
  return { words, tone };
}

export function hasEnded({ stage }: TabCall): boolean {
  return stage === "succeeded" || stage === "failed" || stage === "outcome_unknown";
}
