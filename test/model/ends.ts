import { inspect } from "node:util";
import { OutcomeUnknownError, SignettError } from "../../src/index.js";
import type { KeyRecord, Ledger } from "./ledger.js";

/** What a call came to, as texts and plain data: the same for the model and for the real call. */
export interface Outcome {
  readonly end: string;
  /** The stages that observers were told, in their order. */
  readonly stages: readonly string[];
  /** Stages, hooks and storage calls, in their order. */
  readonly trace: readonly string[];
  readonly record: KeyRecord;
  readonly entry: boolean;
}

/** The model's word for an error that the runtime itself makes. */
export class Owned extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** The model's word for an `OutcomeUnknownError`. */
export class Doubt extends Error {
  constructor(readonly causes: readonly unknown[]) {
    super("In doubt");
  }
}

export const returned = (output: unknown): string => `returns ${inspect(output)}`;

export function rejected(error: unknown, ledger: Ledger): string {
  return `rejects with ${named(error, ledger)}`;
}

function named(error: unknown, ledger: Ledger): string {
  if (error instanceof Doubt) return inDoubt(error.causes, ledger);
  if (error instanceof OutcomeUnknownError) return inDoubt(causesOf(error), ledger);
  if (error instanceof Owned || error instanceof SignettError) return error.code;
  if (error instanceof TypeError) return "a TypeError";
  return ledger.sourceOf(error) ?? `something unknown: ${inspect(error)}`;
}

function inDoubt(causes: readonly unknown[], ledger: Ledger): string {
  return `outcome_unknown, because of ${causes.map((cause) => named(cause, ledger)).join(" and ")}`;
}

function causesOf({ cause }: Error): readonly unknown[] {
  return cause instanceof AggregateError ? cause.errors : [cause];
}

/** What is left of a call that ended. */
export function outcomeOf(ledger: Ledger, end: string): Outcome {
  const { stages, trace, record, entry } = ledger;
  return { end, stages, trace, record, entry };
}
