import type { Effect } from "../server/api.js";
import { type Answer, answersTo, outputsOf } from "./answers.js";
import { byId, create, createList, type Row, setText } from "./dom.js";
import { count, formatTime } from "./format.js";
import type { CountedOperation, ServerState } from "./server-state.js";

const LOGGED = 8;

/** What the database has counted, next to what the callers were told. */
export function createEffectsView(): (state: ServerState, answers: readonly Answer[]) => void {
  const headline = byId("effects-headline", HTMLElement);
  const subject = byId("effects-subject", HTMLElement);
  const total = byId("effects-total", HTMLElement);
  const list = createList<Effect>(
    byId("effects-log", HTMLElement),
    ({ requestId }) => requestId,
    createRow,
  );
  return ({ effects, latest }, answers) => {
    if (effects) setText(total, effects.total.toLocaleString("en"));
    list(effects?.effects.slice(0, LOGGED) ?? []);
    const { words, about, verdict } = latest ? judge(latest, answers) : nothingYet;
    setText(headline, words);
    setText(subject, about);
    headline.dataset.verdict = verdict;
  };
}

interface Judgement {
  readonly words: string;
  readonly about: string;
  readonly verdict: "none" | "good" | "bad";
}

const nothingYet: Judgement = {
  words: "No calls yet",
  about: "Call cancel_order in several tabs and see what the database counts.",
  verdict: "none",
};

function judge(latest: CountedOperation, answers: readonly Answer[]): Judgement {
  const asked = answersTo(latest, answers);
  const outputs = outputsOf(asked);
  const answered = count(outputs.length, "answer");
  const effects = count(latest.effects, "effect");
  const about = `Order ${latest.orderId}, operation ${latest.operationId}`;
  const compared = comparison(outputs);
  // A second effect is a failure at once; anything less is no result while a caller still waits.
  if (latest.effects < 2 && asked.some(({ outcome }) => outcome.state === "running")) {
    const soFar = `${about}, ${answered} so far${compared}`;
    return { words: "Running…", about: soFar, verdict: "none" };
  }
  return {
    // An agent outside the page keeps its answers to itself.
    words: asked.length > 0 ? `${effects} · ${answered}` : effects,
    about: `${about}${compared}`,
    verdict: verdictOn(latest.effects),
  };
}

function verdictOn(effects: number): Judgement["verdict"] {
  if (effects === 0) return "none";
  return effects === 1 ? "good" : "bad";
}

function comparison(outputs: readonly string[]): string {
  if (outputs.length < 2) return "";
  return new Set(outputs).size === 1 ? ", all answers equal" : ", answers differ";
}

function createRow({ id, orderId, operationKey, fence, at }: Effect): Row<Effect> {
  const time = create("time", "", formatTime(at));
  time.dateTime = at;
  const element = create(
    "li",
    "effect",
    create("strong", "", `#${id} ${orderId}`),
    create("code", "effect-key", operationKey),
    create("span", "effect-meta", fence === null ? "" : `fence ${fence} · `, time),
  );
  // A row of the append-only log never changes.
  return { element, show: () => {} };
}
