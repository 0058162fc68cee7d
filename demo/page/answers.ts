import { createStore, type Store } from "./store.js";

/** A wish to call a tool: in one tab, or in every tab at once. */
export interface Request {
  readonly id: string;
  /** The tab whose person asked. */
  readonly from: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

/** What became of a request in one tab. */
export interface Answer {
  readonly id: string;
  readonly request: Request;
  readonly tab: { readonly id: string; readonly number: number };
  readonly outcome: Outcome;
}

export type Outcome =
  | { readonly state: "running" }
  | { readonly state: "answered"; readonly output: unknown }
  | { readonly state: "cancelled" }
  /** Its tab is gone, and took the answer with it: the call may have had its effect. */
  | { readonly state: "closed" }
  | {
      readonly state: "failed";
      readonly error: { readonly name: string; readonly code?: string; readonly message?: string };
    };

/** Enough for a burst of many keys in many tabs, and a bound for a page that stays open. */
const KEPT = 400;

/** The answers of all tabs, oldest first. */
export function createAnswers(): Store<readonly Answer[]> & { put(answer: Answer): void } {
  const answers = createStore<readonly Answer[]>([]);
  return {
    ...answers,
    put(answer) {
      const known = answers.get();
      const isNew = known.every(({ id }) => id !== answer.id);
      answers.set(
        isNew
          ? [...known, answer].slice(-KEPT)
          : known.map((earlier) => (earlier.id === answer.id ? answer : earlier)),
      );
    },
  };
}

/** The answers as the open tabs leave them: what still ran in a tab that is gone comes to no answer any more. */
export function withClosedTabs(
  answers: readonly Answer[],
  tabs: readonly { readonly id: string }[],
): readonly Answer[] {
  const open = new Set(tabs.map(({ id }) => id));
  return answers.map((answer) =>
    answer.outcome.state === "running" && !open.has(answer.tab.id)
      ? { ...answer, outcome: { state: "closed" } }
      : answer,
  );
}

/** One cancellation, whoever asks for it and however often. */
export interface Operation {
  readonly orderId: string;
  readonly operationId: string;
}

/** The operation that a request is about. */
export function operationOf({ tool, input }: Request): Operation | undefined {
  const { orderId, operationId } = input;
  if (tool !== "cancel_order" || orderId === undefined || operationId === undefined)
    return undefined;
  return { orderId, operationId };
}

/** The answers to one operation's callers. */
export function answersTo(
  { orderId, operationId }: Operation,
  answers: readonly Answer[],
): readonly Answer[] {
  return answers.filter(({ request }) => {
    const operation = operationOf(request);
    return operation?.orderId === orderId && operation.operationId === operationId;
  });
}

/** The outputs that callers got, as JSON. */
export function outputsOf(answers: readonly Answer[]): readonly string[] {
  return answers.flatMap(({ outcome }) =>
    outcome.state === "answered" ? [JSON.stringify(outcome.output)] : [],
  );
}

/** The orders that a call is cancelling right now, in any tab. */
export function beingCancelled(answers: readonly Answer[]): ReadonlySet<string> {
  const running = answers.filter(({ outcome }) => outcome.state === "running");
  return new Set(running.flatMap(({ request }) => operationOf(request)?.orderId ?? []));
}
