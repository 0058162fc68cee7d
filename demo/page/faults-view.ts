import type { FaultSettings, FaultStatus } from "../server/api.js";
import { byId, setText } from "./dom.js";
import { count } from "./format.js";

export interface FaultActions {
  readonly change: (change: Partial<FaultSettings>) => void;
  readonly reset: () => void;
}

/** The server's switches, as the server has them: a switch that it did not take goes back. */
export function createFaultsView({ change, reset }: FaultActions): (faults: FaultStatus) => void {
  const answers: Record<Exclude<FaultSettings["answers"], "held">, HTMLInputElement> = {
    normal: byId("answers-normal", HTMLInputElement),
    lost: byId("answers-lost", HTMLInputElement),
    delayed: byId("answers-delayed", HTMLInputElement),
    failed: byId("answers-failed", HTMLInputElement),
  };
  const unreadable = byId("receipts-unreadable", HTMLInputElement);
  const deduplicate = byId("deduplicate", HTMLInputElement);
  const held = byId("faults-held", HTMLElement);
  const delayed = byId("answers-delayed-label", HTMLElement);

  answers.normal.addEventListener("change", () => change({ answers: "normal" }));
  answers.lost.addEventListener("change", () => change({ answers: "lost" }));
  answers.delayed.addEventListener("change", () => change({ answers: "delayed" }));
  answers.failed.addEventListener("change", () => change({ answers: "failed" }));
  unreadable.addEventListener("change", () =>
    change({ receipts: unreadable.checked ? "unreadable" : "normal" }),
  );
  deduplicate.addEventListener("change", () => change({ deduplicate: deduplicate.checked }));

  const dialog = byId("reset-dialog", HTMLDialogElement);
  byId("reset", HTMLButtonElement).addEventListener("click", () => dialog.showModal());
  byId("reset-keep", HTMLButtonElement).addEventListener("click", () => dialog.close());
  byId("reset-confirm", HTMLButtonElement).addEventListener("click", () => {
    dialog.close();
    reset();
  });

  return (faults) => {
    for (const [name, input] of Object.entries(answers)) input.checked = name === faults.answers;
    unreadable.checked = faults.receipts === "unreadable";
    deduplicate.checked = faults.deduplicate;
    setText(delayed, `Delayed by ${(faults.delayMs / 1000).toLocaleString("en")} s`);
    held.hidden = faults.answers !== "held";
    setText(held, `The server holds ${count(faults.holding, "answer")} back.`);
  };
}
