import type { Answer, Outcome } from "./answers.js";
import { byId, create, createList, type Row, setText } from "./dom.js";
import { createDot } from "./tabs-view.js";

const SHOWN = 8;

/** Longer outputs are folded, in characters. */
const FOLDED_FROM = 240;

interface Words {
  readonly title: string;
  readonly detail: string;
  readonly tone: "busy" | "good" | "bad" | "doubt";
}

/** The answers and errors that callers got in any tab, newest first. */
export function createAnswersView(): (answers: readonly Answer[]) => void {
  const empty = byId("answers-empty", HTMLElement);
  const list = createList<Answer>(byId("answers", HTMLElement), ({ id }) => id, createRow);
  return (answers) => {
    empty.hidden = answers.length > 0;
    list(answers.slice(-SHOWN).reverse());
  };
}

function createRow({ tab, request }: Answer): Row<Answer> {
  const subject = [request.tool, ...Object.values(request.input)].join(" · ");
  const title = create("span", "answer-title");
  const detail = create("code", "answer-detail");
  const input = create("span", "answer-input", subject);
  const who = create("span", "answer-tab", createDot(tab.number), `Tab ${tab.number}`);
  const fold = create("summary", "", "Show the output");
  const output = create("details", "answer-output", fold, detail);
  const element = create("li", "answer", create("div", "answer-head", who, title), input, output);
  element.dataset.testid = "answer";
  return {
    element,
    show({ outcome }) {
      const words = describeOutcome(outcome);
      element.dataset.state = outcome.state;
      setText(title, words.title);
      title.dataset.tone = words.tone;
      output.hidden = words.detail === "";
      if (detail.textContent === words.detail) return;
      setText(detail, words.detail);
      fold.hidden = words.detail.length < FOLDED_FROM;
      output.open = fold.hidden;
    },
  };
}

function describeOutcome(outcome: Outcome): Words {
  switch (outcome.state) {
    case "running":
      return { title: "Running…", detail: "", tone: "busy" };
    case "answered":
      return { title: "Answer", detail: spaced(outcome.output), tone: "good" };
    case "cancelled":
      return { title: "Call cancelled", detail: "", tone: "bad" };
    case "closed":
      return { title: "Tab closed or reloaded", detail: "", tone: "doubt" };
    case "failed": {
      const { name, code, message = "" } = outcome.error;
      const title = code === undefined ? name : `${name} · ${code}`;
      return { title, detail: message, tone: code === "outcome_unknown" ? "doubt" : "bad" };
    }
    default:
      return outcome satisfies never;
  }
}

/** JSON on one line, with spaces where it may break. */
function spaced(output: unknown): string {
  return JSON.stringify(output, null, 1).replace(/\n\s*/g, " ");
}
