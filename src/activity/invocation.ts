import type { ActivityReport, Progress } from "../contracts.js";
import type { LifecycleEvent, Stage } from "../events.js";

/** Where a call is, in the words of a person who looks at it. */
export type ActivityPhase =
  /** On its way: checks, the claim, the handler, or recovery. */
  | "running"
  /** The application asks the person. */
  | "awaiting_confirmation"
  /** Another call with the same key runs, here or in another tab. */
  | "waiting"
  /** The output is there, and is being checked and stored. */
  | "verifying"
  | "succeeded"
  /** The person said no. */
  | "declined"
  | "failed"
  /** The effect may have happened (`OutcomeUnknownError`), or the tab of the call is gone. */
  | "unknown";

/** One call, as it is shown. The object is frozen, and is the same until something of the call changes. */
export interface ActivityInvocation {
  readonly invocationId: string;
  readonly toolName: string;
  readonly phase: ActivityPhase;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** When something was heard of the call last, in epoch milliseconds. */
  readonly updatedAt: number;
  /** From the start to the last news, in milliseconds. A call that runs is older by now: see `startedAt`. */
  readonly durationMs: number;
  /** `verify` accepted the output. */
  readonly verified: boolean;
  /** The output is the stored one of an earlier call: nothing was executed. */
  readonly replayed: boolean;
  /** The output was read from the authority after the handler's own answer was lost. */
  readonly recovered: boolean;
  /** The operation's key, once it is known. */
  readonly key?: string;
  /** What the handler said last, its own or that of the call which is waited for. */
  readonly progress?: Progress;
  /** Of a call that ended without an output: no message, no stack. */
  readonly error?: { readonly name: string; readonly code?: string };
  /** With `scope: "profile"`: the id of the tab that runs the call. */
  readonly tab?: string;
}

const PHASES: { readonly [S in Stage]?: ActivityPhase } = {
  started: "running",
  confirmation_requested: "awaiting_confirmation",
  confirmed: "running",
  declined: "declined",
  waiting: "waiting",
  claimed: "running",
  replayed: "verifying",
  recovered: "verifying",
  executed: "verifying",
  succeeded: "succeeded",
  failed: "failed",
  outcome_unknown: "unknown",
};

const REGISTRATION: ReadonlySet<Stage> = new Set<Stage>([
  ...(["registering", "registered", "unsupported"] as const),
  ...(["registration_failed", "unregistered"] as const),
]);

/** Whether the event is about a call, and not about a registration. */
export const isOfCall = ({ stage }: LifecycleEvent): boolean => !REGISTRATION.has(stage);

/** Nothing more happens to the call. */
export const hasEnded = ({ phase }: ActivityInvocation): boolean =>
  phase === "succeeded" || phase === "declined" || phase === "failed" || phase === "unknown";

/** One call, and what was heard of it. */
export interface Followed {
  readonly shown: ActivityInvocation;
  readonly stages: readonly Stage[];
}

/** What is known after a report. It is `before` itself if the report has nothing new. */
export function follow(
  before: Followed | undefined,
  { event, key, progress }: Omit<ActivityReport, "tab">,
  tab: string | undefined,
): Followed {
  const { stage } = event;
  const stages = before?.stages ?? [];
  const isNew = !stages.includes(stage);
  // Reports are repeated to those who come later. Only the last stage's can have something new.
  if (before && !isNew && (stages.at(-1) !== stage || hasEnded(before.shown))) return before;
  const shown = before?.shown ?? begun(event, tab);
  const { progress: earlier, ...rest } = shown;
  const latest = progress ?? (isNew ? undefined : earlier);
  return {
    shown: Object.freeze({
      ...rest,
      phase: shown.phase === "declined" ? shown.phase : (PHASES[stage] ?? shown.phase),
      updatedAt: event.timestamp,
      durationMs: event.durationMs,
      verified: shown.verified || stage === "verified",
      replayed: shown.replayed || stage === "replayed",
      recovered: shown.recovered || stage === "recovered",
      ...(key !== undefined && { key }),
      ...(latest && { progress: latest }),
      ...(event.error && { error: event.error }),
    }),
    stages: isNew ? [...stages, stage] : stages,
  };
}

function begun(event: LifecycleEvent, tab: string | undefined): ActivityInvocation {
  const { invocationId, name, timestamp, durationMs } = event;
  return {
    ...{ invocationId, toolName: name, phase: "running", durationMs },
    ...{ startedAt: timestamp - durationMs, updatedAt: timestamp },
    ...{ verified: false, replayed: false, recovered: false },
    ...(tab !== undefined && { tab }),
  };
}

/** A call that waits, with what the one that it waits for says of its progress. */
export const withProgress = (
  { shown, stages }: Followed,
  progress: Progress | undefined,
): Followed => {
  const { progress: _, ...rest } = shown;
  return { shown: Object.freeze({ ...rest, ...(progress && { progress }) }), stages };
};
