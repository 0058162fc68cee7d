import type { EntryState } from "./operation.js";
import type { Recovery } from "./tool.js";

/** What recovery said. `silent`: there is no hook. */
export type RecoveryAnswer<Output> =
  | Recovery<Output>
  | { readonly recovered: "silent" }
  | { readonly recovered: "threw"; readonly error: unknown };

/** When recovery is asked. */
export type Situation =
  /** This call's handler threw, or its output was no data. */
  | {
      readonly when: "handler_threw";
      readonly entry: EntryState;
    }
  /** An earlier owner ended without settling. */
  | {
      readonly when: "takeover";
      readonly entry: EntryState;
      /** "No entry" is proof: the earlier owner's journal can be read here, and its handler had not returned. */
      readonly absenceProves: boolean;
    };

/** What follows. */
export type Verdict<Output> =
  | { readonly kind: "complete"; readonly output: Output }
  /** Nothing happened. After a throw the key is freed; a takeover goes on as fresh. */
  | { readonly kind: "not_executed" }
  | {
      readonly kind: "in_doubt";
      readonly reason: string | undefined;
      readonly errors: readonly unknown[];
    };

const notExecuted = { kind: "not_executed" } as const;

/** The failure table (contract, section 3). */
export function judge<Output>(
  answer: RecoveryAnswer<Output>,
  situation: Situation,
): Verdict<Output> {
  switch (answer.recovered) {
    case true:
      return { kind: "complete", output: answer.output };
    case "threw":
      return { kind: "in_doubt", reason: undefined, errors: [answer.error] };
    case "silent":
      // A takeover without a hook has nobody to ask.
      return situation.when === "handler_threw" && situation.entry === "none"
        ? notExecuted
        : { kind: "in_doubt", reason: undefined, errors: [] };
    case false:
      if (answer.outcome === "not_applied") return notExecuted;
      return answer.outcome === undefined && absent(situation)
        ? notExecuted
        : { kind: "in_doubt", reason: answer.reason, errors: [] };
    default:
      return answer satisfies never;
  }
}

const absent = (situation: Situation): boolean =>
  situation.entry === "none" && (situation.when === "handler_threw" || situation.absenceProves);
