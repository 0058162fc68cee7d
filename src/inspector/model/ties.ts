import type { CallLog, CallStage, LoggedCall } from "./call-log.js";

/** A call that got its answer from another one, or waits for it. */
export interface Tie {
  readonly kind: "wait" | "replay";
  readonly owner: LoggedCall;
  /** When the owner's part ended (now, while it goes on), in epoch milliseconds. */
  readonly ownerAt: number;
  /** When the call got the answer, or stopped waiting. */
  readonly at: number;
}

/** Whom a call waited for, or whose answer it got; undefined for an owner that nobody told of. */
export function tieOf(call: LoggedCall, log: CallLog, now: number): Tie | undefined {
  if (call.key === undefined) return undefined;
  const waiting = markOf(call, "waiting");
  const replayed = markOf(call, "replayed");
  const owner = waiting
    ? holderAt(call, log.sharing(call.key), waiting.at)
    : replayed && answererBefore(call, log.sharing(call.key), replayed.at);
  if (!owner) return undefined;
  const ended = owner.end?.at ?? now;
  const got = replayed?.at ?? Math.min(ended, call.end?.at ?? now);
  return { kind: waiting ? "wait" : "replay", owner, ownerAt: Math.min(ended, got), at: got };
}

/** Of the calls with this key, the one that had it then: past its checks, not waiting itself, not yet done. */
function holderAt(
  waiter: LoggedCall,
  sharing: Iterable<LoggedCall>,
  at: number,
): LoggedCall | undefined {
  for (const call of sharing) {
    if (call === waiter || call.startedAt > at || (call.end && call.end.at < at)) continue;
    if (markOf(call, "replayed")) continue;
    const before = call.marks.filter((mark) => mark.at <= at);
    if (before.at(-1)?.stage !== "waiting") return call;
  }
  return undefined;
}

/** The last call before that which had an answer of its own. */
function answererBefore(
  replaying: LoggedCall,
  sharing: Iterable<LoggedCall>,
  at: number,
): LoggedCall | undefined {
  let found: LoggedCall | undefined;
  for (const call of sharing) {
    if (call === replaying) continue;
    const answer = markOf(call, "executed") ?? markOf(call, "recovered");
    if (answer && answer.at <= at && call.end?.stage !== "failed") found = call;
  }
  return found;
}

const markOf = ({ marks }: LoggedCall, stage: CallStage) =>
  marks.find((mark) => mark.stage === stage);
