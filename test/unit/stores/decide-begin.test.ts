import { describe, expect, it } from "vitest";
import { type Decision, decideBegin } from "../../../stores/decisions.js";
import type { BeginAnswer, BeginRequest, OperationRecord } from "../../../stores/records.js";
import { BEFORE, claimed, completed, inDoubt, mine, NOW, request } from "./samples.js";

const FENCE = 8;

const begin = (
  record: OperationRecord | undefined,
  asked: Partial<BeginRequest> = {},
  waited = false,
) => decideBegin(record, request(asked), { now: NOW, fence: FENCE, waited });

/** What every caller can meet. */
const states = {
  absent: undefined,
  "reserved by another call": claimed({ call: "other", owner: "other-lock", phase: "reserved" }),
  "started by another call": claimed({ call: "other", owner: "other-lock" }),
  "taken over by another call": claimed({ call: "other", owner: "other-lock", takeover: true }),
  "reserved by this call": claimed({ phase: "reserved" }),
  "started by this call": claimed(),
  "taken over by this call": claimed({ takeover: true, executed: true, journalKey: "theirs" }),
  "claimed by a newer issue of this call": claimed({ attempt: 2, owner: "new-lock" }),
  "in doubt": inDoubt({ call: "other", journalKey: "theirs" }),
  "in doubt after execution": inDoubt({ call: "other", executed: true }),
  completed: completed({ call: "other" }),
} as const satisfies Record<string, OperationRecord | undefined>;

type Table = Record<keyof typeof states, Decision<BeginAnswer>>;

const fresh = (phase: "reserved" | "started"): Decision<BeginAnswer> => ({
  answer: { state: "granted", fence: FENCE, phase, takeover: false, executed: false },
  record: claimed({ fence: FENCE, phase, createdAt: NOW, updatedAt: NOW }),
  clearEntry: true,
});
const held: Decision<BeginAnswer> = {
  answer: {
    state: "held",
    claim: { key: "order-1", fence: 7, call: "other", owner: "other-lock" },
  },
  record: "keep",
};

/** All but a free key is decided alike, however it is asked for. */
const whoeverAsks: Omit<Table, "absent"> = {
  "reserved by another call": held,
  "started by another call": held,
  "taken over by another call": held,
  "reserved by this call": {
    answer: { state: "granted", fence: 7, phase: "reserved", takeover: false, executed: false },
    record: claimed({ phase: "reserved", updatedAt: NOW }),
  },
  "started by this call": {
    answer: { state: "granted", fence: 7, phase: "started", takeover: false, executed: false },
    record: claimed({ updatedAt: NOW }),
  },
  "taken over by this call": {
    answer: {
      state: "granted",
      fence: 7,
      phase: "started",
      takeover: true,
      executed: true,
      journalKey: "theirs",
    },
    record: claimed({ takeover: true, executed: true, journalKey: "theirs", updatedAt: NOW }),
  },
  "claimed by a newer issue of this call": { answer: { state: "superseded" }, record: "keep" },
  "in doubt": {
    answer: {
      state: "granted",
      fence: FENCE,
      phase: "started",
      takeover: true,
      executed: false,
      journalKey: "theirs",
    },
    record: claimed({
      fence: FENCE,
      takeover: true,
      journalKey: "theirs",
      createdAt: BEFORE,
      updatedAt: NOW,
    }),
  },
  "in doubt after execution": {
    answer: { state: "granted", fence: FENCE, phase: "started", takeover: true, executed: true },
    record: claimed({ fence: FENCE, takeover: true, executed: true, updatedAt: NOW }),
  },
  completed: {
    answer: { state: "completed", output: { receipt: 1 }, fence: mine.fence },
    record: "keep",
  },
};

const ways: Record<string, { asked: Partial<BeginRequest>; waited: boolean; expected: Table }> = {
  "a first call": {
    asked: {},
    waited: false,
    expected: { ...whoeverAsks, absent: fresh("started") },
  },
  "a call that reserves": {
    asked: { reserve: true },
    waited: false,
    expected: { ...whoeverAsks, absent: fresh("reserved") },
  },
  "a call that has waited": {
    asked: {},
    waited: true,
    expected: { ...whoeverAsks, absent: fresh("reserved") },
  },
};

const names = Object.keys(states) as (keyof typeof states)[];

for (const [way, { asked, waited, expected }] of Object.entries(ways)) {
  describe(`${way} asks for a key`, () => {
    it.each(names)("that is %s", (state) => {
      expect(begin(states[state], asked, waited)).toEqual(expected[state]);
    });
  });
}

describe("a call that is issued again", () => {
  const again = { attempt: 2, owner: "new-lock" };

  it.each(["reserved", "started"] as const)("keeps its %s claim, under its new lock", (phase) => {
    const { answer, record } = begin(claimed({ phase }), again);
    expect(answer).toMatchObject({ state: "granted", fence: 7, phase });
    expect(record).toEqual(claimed({ phase, ...again, updatedAt: NOW }));
  });

  it("can't take its claim back with an older copy", () => {
    const adopted = claimed(again);
    expect(begin(adopted, { attempt: 1 })).toEqual({
      answer: { state: "superseded" },
      record: "keep",
    });
  });

  it("does not remove the journal entry that its first issue may have written", () => {
    expect(begin(claimed(), again).clearEntry).toBeUndefined();
  });
});

describe("a key that was used for something else", () => {
  const used: Record<string, OperationRecord> = {
    reserved: claimed({ call: "other", phase: "reserved" }),
    started: claimed({ call: "other" }),
    "taken over": claimed({ call: "other", takeover: true }),
    "in doubt": inDoubt({ call: "other" }),
    "in doubt after execution": inDoubt({ call: "other", executed: true }),
    completed: completed({ call: "other" }),
  };
  const conflict = (reason: "tool" | "fingerprint") => ({
    answer: { state: "conflict", reason },
    record: "keep",
  });

  describe.each(Object.entries(used))("and is %s", (_, record) => {
    it("conflicts with another tool", () => {
      expect(begin(record, { tool: "refund_order" })).toEqual(conflict("tool"));
    });

    it("conflicts with another fingerprint", () => {
      const of = { ...record, fingerprint: "one" };
      expect(begin(of, { fingerprint: "two" })).toEqual(conflict("fingerprint"));
    });

    it("conflicts when only one of the two calls has a fingerprint", () => {
      const of = { ...record, fingerprint: "one" };
      expect(begin(of, {})).toEqual(conflict("fingerprint"));
      expect(begin(record, { fingerprint: "two" })).toEqual(conflict("fingerprint"));
    });

    it("does not conflict with an equal fingerprint", () => {
      const of = { ...record, fingerprint: "one" };
      expect(begin(of, { fingerprint: "one" }).answer.state).not.toBe("conflict");
    });
  });
});

describe("a journal key", () => {
  it("is recorded with a fresh claim", () => {
    const { answer, record } = begin(undefined, { journalKey: "mine" });
    expect(answer).toMatchObject({ journalKey: "mine" });
    expect(record).toMatchObject({ journalKey: "mine" });
  });

  it("of the dead owner is the one that a takeover looks under, whatever the new caller names", () => {
    const { answer, record } = begin(inDoubt({ journalKey: "theirs" }), { journalKey: "mine" });
    expect(answer).toMatchObject({ journalKey: "theirs" });
    expect(record).toMatchObject({ journalKey: "theirs" });
  });

  it("of the new caller proves nothing about an owner that named none", () => {
    const { answer, record } = begin(inDoubt(), { journalKey: "mine" });
    expect(answer).toMatchObject({ takeover: true, journalKey: undefined });
    expect(record).not.toHaveProperty("journalKey");
  });
});
