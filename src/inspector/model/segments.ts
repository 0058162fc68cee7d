import type { CallStage, LoggedCall, Mark } from "./call-log.js";

/** What a call is busy with between two marks. */
export type Doing =
  /** Signett's own steps: validation, context, authorization, the key. */
  | "check"
  /** A person is asked. */
  | "approval"
  /** Another call owns the key. */
  | "wait"
  /** The handler runs. */
  | "execute"
  /** `recover` asks the authority. */
  | "recover"
  /** `verify` asks the authority. */
  | "verify"
  /** The answer is stored, or the claim is given back. */
  | "settle";

/** A part of a call's bar, in epoch milliseconds. */
export interface Segment {
  readonly doing: Doing;
  readonly from: number;
  readonly to: number;
}

/** What goes on after a mark, as long as nobody knows what comes next. */
const after: Readonly<Record<CallStage, Doing>> = {
  started: "check",
  validated: "check",
  authorized: "execute",
  confirmation_requested: "approval",
  confirmed: "execute",
  declined: "settle",
  waiting: "wait",
  claimed: "execute",
  replayed: "verify",
  recovered: "verify",
  executed: "verify",
  completed_after_abort: "verify",
  output_validated: "verify",
  output_oversized: "verify",
  output_unmeasurable: "verify",
  journal_unused: "verify",
  verified: "settle",
  result_not_stored: "settle",
  cleanup_failed: "settle",
  succeeded: "settle",
  failed: "settle",
  outcome_unknown: "settle",
};

/** What must have gone on before a mark. */
const before: Partial<Record<CallStage, Doing>> = {
  validated: "check",
  authorized: "check",
  confirmation_requested: "check",
  waiting: "check",
  replayed: "check",
  executed: "execute",
  recovered: "recover",
  verified: "verify",
  succeeded: "settle",
};

/** The parts of a call's bar. A call that runs ends now. */
export function segmentsOf(call: LoggedCall, now: number): readonly Segment[] {
  const segments: Segment[] = [];
  const add = (doing: Doing, from: number, to: number) => {
    const last = segments.at(-1);
    if (last?.doing === doing) segments[segments.length - 1] = { ...last, to };
    else if (to > from) segments.push({ doing, from, to });
  };
  let previous: Mark = { stage: "started", at: call.startedAt };
  for (const mark of call.marks) {
    add(between(previous.stage, mark.stage), previous.at, mark.at);
    previous = mark;
  }
  if (!call.end) add(after[previous.stage], previous.at, now);
  return segments;
}

/** What a running call is busy with. */
export function doingNow({ marks }: LoggedCall): Doing {
  return after[marks.at(-1)?.stage ?? "started"];
}

function between(from: CallStage, to: CallStage): Doing {
  // Whatever came next, the person was asked and the key was owned by another.
  if (from === "waiting" || from === "confirmation_requested") return after[from];
  return before[to] ?? after[from];
}
