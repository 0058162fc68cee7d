import type { Progress } from "../../contracts.js";
import type { CallStage, LoggedCall } from "./call-log.js";
import { type Doing, doingNow } from "./segments.js";

/** How a call stands, for a person. `tone` decides mark and colour, never alone: `text` says the same. */
export interface Outcome {
  readonly tone: "running" | "waiting" | "good" | "replay" | "bad" | "doubt";
  readonly text: string;
}

const running: Readonly<Record<Doing, string>> = {
  check: "checking",
  approval: "asks for approval",
  wait: "waits for owner",
  execute: "executing",
  recover: "recovering",
  verify: "verifying",
  settle: "settling",
};

/** How far a handler is, in the unit that it counts in. */
export const amountOf = ({ done, total }: Progress): string =>
  total === undefined ? `${done}` : `${done}/${total}`;

/** Says how a call stands or ended. */
export function outcomeOf(call: LoggedCall): Outcome {
  if (!call.end) {
    const doing = doingNow(call);
    const tone = doing === "wait" || doing === "approval" ? "waiting" : "running";
    return { tone, text: `${running[doing]}${call.progress ? ` ${amountOf(call.progress)}` : ""}` };
  }
  const reached = (stage: CallStage) => call.marks.some((mark) => mark.stage === stage);
  if (call.end.stage === "outcome_unknown") return { tone: "doubt", text: "outcome unknown" };
  if (call.end.stage === "failed") {
    if (reached("declined")) return { tone: "bad", text: "declined" };
    const { error } = call.end;
    return { tone: "bad", text: error?.code ?? error?.name ?? "failed" };
  }
  if (reached("replayed")) return { tone: "replay", text: "replayed" };
  if (reached("recovered")) return { tone: "good", text: "recovered" };
  return { tone: "good", text: "succeeded" };
}
