import { SignettError, ValidationError } from "../../../errors.js";
import { duration } from "../../model/format.js";
import type { Outcome } from "../../model/outcome.js";
import type { Desk } from "../desk.js";
import { button, el, set, setText } from "../dom.js";
import { outcomeLabel } from "../parts.js";

/** How a call from the form ended. */
export type Result =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly since: number }
  | { readonly state: "answered"; readonly ms: number; readonly output: unknown }
  | { readonly state: "failed"; readonly ms: number; readonly error: unknown };

/** Shows how a call from the form goes and ends. What it answered shows only while data is switched on. */
export function resultView(desk: Desk) {
  const outcome = outcomeLabel();
  const text = el("pre", { class: "data", tabindex: "0", "aria-label": "Answer" });
  const hidden = el("p", { class: "hint" }, "What it answered is hidden. ");
  hidden.append(button("Show data", { class: "link" }, () => desk.data.turn(true)));
  const element = el("div", { class: "result" }, outcome.element, text, hidden);
  return {
    element,
    show(result: Result) {
      element.hidden = result.state === "none";
      outcome.show(outcomeOf(result, desk.surroundings.now()));
      const data = dataOf(result);
      const shown = data !== undefined && desk.data.on;
      text.hidden = !shown;
      hidden.hidden = data === undefined || shown;
      setText(text, shown ? data : "");
      set(text, { "data-failed": result.state === "failed" });
    },
  };
}

/** One line for a person, without data. */
export function outcomeOf(result: Result, now: number): Outcome {
  switch (result.state) {
    case "none":
      return { tone: "running", text: "" };
    case "running":
      return { tone: "running", text: `Running for ${duration(now - result.since)}` };
    case "answered":
      return { tone: "good", text: `Answered after ${duration(result.ms)}` };
    case "failed": {
      const doubt = result.error instanceof SignettError && result.error.code === "outcome_unknown";
      const text = `${nameOf(result.error)} after ${duration(result.ms)}`;
      return { tone: doubt ? "doubt" : "bad", text };
    }
    default:
      throw new TypeError(`No result: ${JSON.stringify(result satisfies never)}`);
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `A thrown ${typeof error}`;
  const code = error instanceof SignettError ? ` · ${error.code}` : "";
  return `${error.name}${code}`;
}

/** What only shows while data is switched on. Faults of the input show at their fields. */
function dataOf(result: Result): string | undefined {
  if (result.state === "answered") {
    return JSON.stringify(result.output, undefined, 2) ?? "undefined";
  }
  if (result.state !== "failed" || result.error instanceof ValidationError) return undefined;
  return result.error instanceof Error ? result.error.message : String(result.error);
}
