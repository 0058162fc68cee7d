import type { Stage } from "signett";

/** A call of the story: where, which tool, under which key, and when it reached what. */
export interface StoryCall {
  readonly tab: string;
  readonly tool: string;
  readonly key?: string;
  /** Milliseconds before now. */
  readonly began: number;
  /** Each stage, and when it came, in milliseconds since the call began. */
  readonly stages: Partial<Record<Stage, number>>;
  readonly error?: { readonly name: string; readonly code?: string };
}

const minutes = 60_000;
const entered = { started: 0, validated: 4, authorized: 30 };
const first = "acct-demo:op-71c2:A-1001:cancel_order";
const second = "acct-demo:op-9f04:A-1007:cancel_order";
const third = "acct-demo:op-b25e:A-1012:cancel_order";

/** Three tabs. A key that all of them ask for; one that a tab left in doubt; one that is being approved. */
export const storyCalls: readonly StoryCall[] = [
  {
    ...{ tab: "A", tool: "list_orders", began: 31 * minutes },
    stages: {
      started: 0,
      validated: 3,
      authorized: 5,
      executed: 148,
      output_validated: 148,
      succeeded: 149,
    },
  },
  {
    ...{ tab: "A", tool: "cancel_order", key: first, began: 31 * minutes - 400 },
    stages: {
      ...{ ...entered, confirmation_requested: 46, confirmed: 1_240 },
      ...{ executed: 1_830, verified: 1_990, succeeded: 2_010 },
    },
  },
  {
    ...{ tab: "B", tool: "cancel_order", key: first, began: 31 * minutes - 700 },
    stages: { ...entered, waiting: 44, replayed: 1_722, verified: 1_880, succeeded: 1_884 },
  },
  {
    ...{ tab: "C", tool: "cancel_order", key: first, began: 31 * minutes - 1_150 },
    stages: { ...entered, waiting: 52, replayed: 1_276, verified: 1_460, succeeded: 1_466 },
  },
  {
    ...{ tab: "C", tool: "list_orders", began: 12 * minutes },
    stages: { started: 0, failed: 9 },
    error: { name: "ValidationError", code: "invalid_input" },
  },
  {
    ...{ tab: "C", tool: "cancel_order", key: second, began: 12 * minutes - 300 },
    stages: { ...entered, executed: 940, outcome_unknown: 1_010 },
    error: { name: "OutcomeUnknownError", code: "outcome_unknown" },
  },
  {
    ...{ tab: "B", tool: "cancel_order", key: second, began: 12 * minutes - 1_500 },
    stages: { ...entered, recovered: 540, verified: 690, succeeded: 701 },
  },
  {
    ...{ tab: "A", tool: "cancel_order", key: second, began: 12 * minutes - 2_300 },
    stages: { ...entered, replayed: 39, verified: 172, succeeded: 174 },
  },
  {
    ...{ tab: "B", tool: "refund_order", began: 3 * minutes },
    stages: { ...entered, confirmation_requested: 33, declined: 1_380, failed: 1_380 },
    error: { name: "ConfirmationError", code: "confirmation_declined" },
  },
  {
    ...{ tab: "C", tool: "cancel_order", key: first, began: 3 * minutes - 900 },
    stages: { ...entered, replayed: 36, verified: 190, succeeded: 193 },
  },
  {
    ...{ tab: "B", tool: "cancel_order", key: third, began: 2_100 },
    stages: { ...entered, confirmation_requested: 48 },
  },
  { tab: "A", tool: "cancel_order", key: third, began: 1_500, stages: { ...entered, waiting: 41 } },
  { tab: "C", tool: "list_orders", began: 420, stages: entered },
];
