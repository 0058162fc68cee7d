import type {
  BeginRequest,
  ClaimedRecord,
  ClaimRef,
  CompletedRecord,
  DoubtRecord,
  NotAppliedRecord,
  PurgedRecord,
} from "../../../stores/records.js";

/** When the records of these samples were made, and when they are decided. */
export const BEFORE = 1_000;
export const NOW = 2_000;

/** The claim that settles in the samples. */
export const mine: ClaimRef = { key: "order-1", fence: 7, call: "mine" };

const base = {
  ...mine,
  tool: "cancel_order",
  attempt: 1,
  executed: false,
  createdAt: BEFORE,
  updatedAt: BEFORE,
} as const;

export const claimed = (over: Partial<ClaimedRecord> = {}): ClaimedRecord => ({
  ...base,
  state: "claimed",
  phase: "started",
  takeover: false,
  owner: "my-lock",
  ...over,
});

export const inDoubt = (over: Partial<DoubtRecord> = {}): DoubtRecord => ({
  ...base,
  state: "in_doubt",
  ...over,
});

export const completed = (over: Partial<CompletedRecord> = {}): CompletedRecord => ({
  ...base,
  state: "completed",
  output: { receipt: 1 },
  executed: true,
  ...over,
});

export const request = (over: Partial<BeginRequest> = {}): BeginRequest => ({
  key: mine.key,
  tool: "cancel_order",
  call: mine.call,
  attempt: 1,
  owner: "my-lock",
  reserve: false,
  ...over,
});

export const notApplied = (over: Partial<NotAppliedRecord> = {}): NotAppliedRecord => ({
  ...base,
  state: "not_applied",
  expiresAt: NOW,
  ...over,
});

export const purged = (over: Partial<PurgedRecord> = {}): PurgedRecord => ({
  ...mine,
  state: "purged",
  expiresAt: NOW,
  ...over,
});
