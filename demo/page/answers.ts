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

/** The outputs that callers of one operation got, as JSON. */
export function outputsOf(
  { orderId, operationId }: Operation,
  answers: readonly Answer[],
): readonly string[] {
  return answers.flatMap(({ request, outcome }) =>
    request.input.operationId === operationId &&
    request.input.orderId === orderId &&
    outcome.state === "answered"
      ? [JSON.stringify(outcome.output)]
      : [],
  );
}

/** The orders that a call is cancelling right now, in any tab. */
export function beingCancelled(answers: readonly Answer[]): ReadonlySet<string> {
  const running = answers.filter(({ outcome }) => outcome.state === "running");
  return new Set(running.flatMap(({ request }) => operationOf(request)?.orderId ?? []));
}
