import { describe, expect, it } from "vitest";
import {
  type Decision,
  decideAbandon,
  decideComplete,
  decideDeath,
  decideRelease,
  decideStart,
  decideUndo,
  decideUnreadable,
} from "../../../stores/decisions.js";
import type { OperationRecord, SettleAnswer } from "../../../stores/records.js";
import { claimed, completed, inDoubt, mine, NOW } from "./samples.js";

const OUTPUT = { receipt: 2 };
const intent = { ...mine, tool: "cancel_order", fingerprint: "f" };

/** What a settlement can meet. The settling claim has fence 7 and call "mine". */
const states = {
  absent: undefined,
  reserved: claimed({ phase: "reserved" }),
  started: claimed(),
  takeover: claimed({ takeover: true, journalKey: "theirs" }),
  "takeover after execution": claimed({ takeover: true, executed: true }),
  "claimed by another call": claimed({ call: "other" }),
  "claimed again by this call": claimed({ fence: 9 }),
  "claimed under an older fence": claimed({ fence: 5 }),
  "in doubt, left by this claim": inDoubt(),
  "in doubt after execution, left by this claim": inDoubt({ executed: true }),
  "in doubt, left by a later claim": inDoubt({ fence: 9, call: "other" }),
  "in doubt, left by another call": inDoubt({ call: "other" }),
  "completed by this claim": completed({ fingerprint: "f" }),
  "completed by a later claim": completed({ fence: 9, call: "other", fingerprint: "f" }),
  "completed with another intent": completed({ fence: 9, call: "other", fingerprint: "g" }),
  "completed by another tool": completed({
    fence: 9,
    call: "other",
    tool: "refund_order",
    fingerprint: "f",
  }),
} as const satisfies Record<string, OperationRecord | undefined>;

type State = keyof typeof states;
type Table<Answer = SettleAnswer> = Record<State, Decision<Answer>>;

const lost: Decision<SettleAnswer> = { answer: { state: "lost" }, record: "keep" };
const repeated: Decision<SettleAnswer> = { answer: { state: "settled" }, record: "keep" };
const settles = (record: OperationRecord | "free", clearEntry?: true): Decision<SettleAnswer> => ({
  answer: { state: "settled" },
  record,
  ...(clearEntry && { clearEntry }),
});

const everyStateLost = Object.fromEntries(
  Object.keys(states).map((state) => [state, lost]),
) as Table;

function check<Answer>(
  what: string,
  decide: (record: OperationRecord | undefined) => Decision<Answer>,
  table: Table<Answer>,
): void {
  describe(what, () => {
    it.each(Object.keys(states) as State[])("a key that is %s", (state) => {
      expect(decide(states[state])).toEqual(table[state]);
    });
  });
}

check("starting", (record) => decideStart(record, mine, { now: NOW, fresh: false }), {
  ...everyStateLost,
  reserved: settles(claimed({ updatedAt: NOW })),
  started: settles(claimed({ updatedAt: NOW })),
  takeover: settles(claimed({ takeover: true, journalKey: "theirs", updatedAt: NOW })),
  "takeover after execution": settles(claimed({ takeover: true, executed: true, updatedAt: NOW })),
});

const startedAnew = settles(claimed({ journalKey: "new", updatedAt: NOW }), true);
check(
  "starting as fresh",
  (record) => decideStart(record, mine, { now: NOW, fresh: true, journalKey: "new" }),
  {
    ...everyStateLost,
    reserved: startedAnew,
    started: startedAnew,
    takeover: startedAnew,
    "takeover after execution": startedAnew,
  },
);

const done = (over = {}) =>
  settles(completed({ output: OUTPUT, executed: true, updatedAt: NOW, ...over }), true);
const overtaken: Decision<SettleAnswer> = {
  answer: { state: "lost", completed: { output: { receipt: 1 } } },
  record: "keep",
};
check("completing", (record) => decideComplete(record, intent, { now: NOW, output: OUTPUT }), {
  ...everyStateLost,
  reserved: done(),
  started: done(),
  takeover: done({ journalKey: "theirs" }),
  "takeover after execution": done(),
  "completed by this claim": repeated,
  "completed by a later claim": overtaken,
});

check("releasing", (record) => decideRelease(record, mine, NOW), {
  ...everyStateLost,
  absent: repeated,
  reserved: settles("free", true),
  started: settles("free", true),
  takeover: settles("free", true),
  "takeover after execution": settles("free", true),
  // A later claim can only have been made after this one ended.
  "claimed again by this call": repeated,
  "in doubt, left by a later claim": repeated,
  "completed by a later claim": repeated,
  "completed with another intent": repeated,
  "completed by another tool": repeated,
});

const doubt = (over = {}) => settles(inDoubt({ updatedAt: NOW, ...over }));
check("abandoning", (record) => decideAbandon(record, mine, { now: NOW, executed: false }), {
  ...everyStateLost,
  reserved: doubt(),
  started: doubt(),
  takeover: doubt({ journalKey: "theirs", attempts: 1 }),
  "takeover after execution": doubt({ executed: true, attempts: 1 }),
  "in doubt, left by this claim": repeated,
  "in doubt after execution, left by this claim": repeated,
});

check(
  "abandoning after execution",
  (record) => decideAbandon(record, mine, { now: NOW, executed: true }),
  {
    ...everyStateLost,
    reserved: doubt({ executed: true }),
    started: doubt({ executed: true }),
    takeover: doubt({ executed: true, journalKey: "theirs", attempts: 1 }),
    "takeover after execution": doubt({ executed: true, attempts: 1 }),
    "in doubt, left by this claim": doubt({ executed: true }),
    "in doubt after execution, left by this claim": repeated,
  },
);

const moved = (record: OperationRecord | "free", clearEntry?: true): Decision<boolean> => ({
  answer: true,
  record,
  ...(clearEntry && { clearEntry }),
});
const untouched = Object.fromEntries(
  Object.keys(states).map((state) => [state, { answer: false, record: "keep" }]),
) as Table<boolean>;
check(
  "the owner's death, with",
  (record) => decideDeath(record, { ...mine, owner: "my-lock" }, NOW),
  {
    ...untouched,
    reserved: moved("free", true),
    started: moved(inDoubt({ updatedAt: NOW })),
    takeover: moved(inDoubt({ journalKey: "theirs", attempts: 1, updatedAt: NOW })),
    "takeover after execution": moved(inDoubt({ executed: true, attempts: 1, updatedAt: NOW })),
  },
);

check(
  "the undoing of a claim that its page has not heard of, with",
  (record) => decideUndo(record, { ...mine, owner: "my-lock" }, NOW),
  {
    ...untouched,
    reserved: moved("free", true),
    started: moved("free", true),
    takeover: moved(inDoubt({ journalKey: "theirs", updatedAt: NOW })),
    "takeover after execution": moved(inDoubt({ executed: true, updatedAt: NOW })),
  },
);

const unread = Object.fromEntries(
  Object.keys(states).map((state) => [state, { answer: false, record: "keep" }]),
) as Table<boolean>;
check(
  "a tab that can't read the output of this claim, with",
  (record) => decideUnreadable(record, { fence: mine.fence, now: NOW }),
  {
    ...unread,
    "completed by this claim": {
      answer: false,
      record: inDoubt({ fingerprint: "f", executed: true, updatedAt: NOW }),
    },
  },
);

describe.each<[string, typeof decideDeath]>([
  ["the death of an earlier lock", decideDeath],
  ["the undoing of a claim under an earlier lock", decideUndo],
])("%s", (_, decide) => {
  it.each(["reserved", "started"] as const)(
    "leaves a %s claim that a newer issue of the call has adopted",
    (phase) => {
      const adopted = claimed({ phase, attempt: 2, owner: "new-lock" });
      expect(decide(adopted, { ...mine, owner: "my-lock" }, NOW)).toEqual({
        answer: false,
        record: "keep",
      });
    },
  );
});

describe("a settlement whose answer was lost", () => {
  const written = (decision: Decision<unknown>): OperationRecord | undefined => {
    if (decision.record === "keep") throw new Error("The first settlement changed nothing.");
    return decision.record === "free" ? undefined : decision.record;
  };
  const later = NOW + 1;

  it("succeeds again, and the second time changes nothing that a reader could see", () => {
    const complete = (record: OperationRecord | undefined, now: number) =>
      decideComplete(record, intent, { now, output: OUTPUT });
    const abandon = (record: OperationRecord | undefined, now: number) =>
      decideAbandon(record, mine, { now, executed: true });
    const release = (record: OperationRecord | undefined, now: number) =>
      decideRelease(record, mine, now);
    for (const settle of [complete, abandon, release]) {
      const first = settle(claimed({ fingerprint: "f" }), NOW);
      expect(settle(written(first), later)).toEqual(repeated);
    }
  });

  it("succeeds again as a start, which leaves the claim as it was but for its time", () => {
    const first = written(
      decideStart(claimed({ phase: "reserved" }), mine, { now: NOW, fresh: false }),
    );
    expect(decideStart(first, mine, { now: later, fresh: false })).toEqual(
      settles(claimed({ updatedAt: later })),
    );
  });
});
