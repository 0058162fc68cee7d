import type { OperationInfo } from "../../operations.js";
import type { Outcome } from "./outcome.js";

/** How a key stands, for a person. */
export function standingOf({ state, phase, takeover, owner }: OperationInfo): Outcome {
  if (state === "not_applied") return { tone: "good", text: "not applied" };
  if (state === "completed") return { tone: "good", text: "completed" };
  if (state === "in_doubt") return { tone: "doubt", text: "in doubt" };
  if (owner && !owner.alive) return { tone: "bad", text: "owner is gone" };
  if (takeover) return { tone: "running", text: "recovering" };
  if (phase === "reserved") return { tone: "waiting", text: "reserved" };
  return { tone: "running", text: "started" };
}
