import { describe, expect, it } from "vitest";
import {
  decideAbandon,
  decideBegin,
  decideComplete,
  decideDeath,
  decideRelease,
  decideUndo,
} from "../../../stores/decisions.js";
import type { OperationRecord } from "../../../stores/records.js";
import { decidePurge, decideResolve, decideSweep } from "../../../stores/reviews.js";
import { claimed, completed, inDoubt, mine, NOW, notApplied, purged, request } from "./samples.js";

const DAY = 86_400_000;
const review = { now: NOW, completedMs: DAY, id: "r-1", label: "ada" };
const audit = (outcome: "completed" | "not_applied") => ({
  id: "r-1",
  at: NOW,
  outcome,
  label: "ada",
});

/** What the next call is told, after the record was decided. */
function next(record: OperationRecord | "keep" | "free", over = {}) {
  const found = typeof record === "string" ? undefined : record;
  return decideBegin(found, request({ call: "next", attempt: 0, ...over }), {
    now: NOW + 1,
    fence: 8,
    waited: false,
  });
}

describe("a reviewer's word", () => {
  const doubt = inDoubt({
    journalKey: "theirs",
    attempts: 7,
    recoverAt: NOW + 9,
    fingerprint: "f",
  });

  it("that it is completed makes the output what every later call gets", () => {
    const { answer, record, clearEntry } = decideResolve(
      doubt,
      { outcome: "completed", output: 7 },
      review,
    );
    expect(answer).toEqual({ state: "resolved" });
    expect(clearEntry).toBe(true);
    expect(record).toEqual(
      completed({
        journalKey: "theirs",
        fingerprint: "f",
        output: 7,
        updatedAt: NOW,
        expiresAt: NOW + DAY,
        audit: audit("completed"),
      }),
    );
    expect(next(record, { fingerprint: "f" }).answer).toEqual({
      state: "completed",
      output: 7,
      fence: mine.fence,
    });
    expect(next(record, { fingerprint: "g" }).answer).toMatchObject({ state: "conflict" });
  });

  it("that nothing happened frees the key for any call, which keeps the audit", () => {
    const { answer, record, clearEntry } = decideResolve(doubt, { outcome: "not_applied" }, review);
    expect(answer).toEqual({ state: "resolved" });
    expect(clearEntry).toBe(true);
    const begun = next(record, { tool: "another" });
    expect(begun.answer).toMatchObject({ state: "granted", takeover: false, fence: 8 });
    expect(begun.clearEntry).toBe(true);
    expect(begun.record).toMatchObject({ state: "claimed", audit: audit("not_applied") });
  });

  it("is heard once: a repeat changes nothing, and another one is refused", () => {
    for (const resolution of [
      { outcome: "completed", output: 7 },
      { outcome: "not_applied" },
    ] as const) {
      const { record } = decideResolve(doubt, resolution, review);
      if (typeof record === "string") throw new Error("Nothing was resolved.");
      const again = decideResolve(record, resolution, { ...review, now: NOW + 5 });
      expect(again).toEqual({ answer: { state: "resolved" }, record: "keep" });
      const other = decideResolve(record, resolution, { ...review, id: "r-2" });
      expect(other).toEqual({
        answer: { state: "refused", found: resolution.outcome },
        record: "keep",
      });
    }
  });

  it.each([
    ["free", undefined],
    ["free", purged()],
    ["claimed", claimed()],
    ["claimed", claimed({ takeover: true })],
    ["claimed", claimed({ phase: "reserved" })],
    ["completed", completed()],
    ["not_applied", notApplied()],
  ] as const)("changes nothing of what is %s", (found, record) => {
    for (const outcome of ["completed", "not_applied"] as const) {
      expect(decideResolve(record, { outcome, output: 1 }, review)).toEqual({
        answer: { state: "refused", found },
        record: "keep",
      });
    }
  });
});

describe("a purge", () => {
  const purge = (record: OperationRecord | undefined, inDoubt = false) =>
    decidePurge(record, { now: NOW, inDoubt });
  const old = NOW - 60_000;

  it("removes what is settled", () => {
    expect(purge(completed({ updatedAt: old }))).toEqual({ answer: "purged", record: "free" });
    expect(purge(notApplied())).toEqual({ answer: "purged", record: "free" });
    expect(purge(undefined)).toEqual({ answer: "kept", record: "keep" });
    expect(purge(purged())).toEqual({ answer: "kept", record: "keep" });
  });

  it("removes doubt only when asked, and its entry with it", () => {
    expect(purge(inDoubt())).toEqual({ answer: "kept", record: "keep" });
    const forgotten = { answer: "purged", record: "free", clearEntry: true };
    expect(purge(inDoubt(), true)).toEqual(forgotten);
  });

  it("tells those who have just waited for the answer, and frees the key for all others", () => {
    const { record } = purge(completed({ updatedAt: NOW - 1 }));
    if (typeof record === "string") throw new Error("Nothing is left for those who wait.");
    expect(record).toEqual(purged({ expiresAt: NOW + 60_000 }));
    expect(next(record).answer).toMatchObject({ state: "granted", takeover: false });
    const waited = decideBegin(record, request({ call: "w", attempt: 0 }), {
      ...{ now: NOW, fence: 8 },
      waited: true,
    });
    expect(waited).toEqual({ answer: { state: "purged" }, record: "keep" });
    // Its worker was lost while it waited.
    expect(next(record, { attempt: 1 })).toEqual({ answer: { state: "purged" }, record: "keep" });
  });

  describe("just before a claim", () => {
    const purge = { fence: 7, call: "mine", expiresAt: NOW + 60_000 };
    const claim = claimed({ fence: 8, call: "next", phase: "reserved", purgedBefore: purge });
    const ref = { key: claim.key, fence: claim.fence, call: claim.call, owner: claim.owner };
    const ends = {
      released: (now: number) => decideRelease(claim, ref, now),
      buried: (now: number) => decideDeath(claim, ref, now),
      undone: (now: number) => decideUndo(claim, ref, now),
    };
    const asks = (record: OperationRecord, behind: number) =>
      decideBegin(record, request({ call: "w", attempt: 0 }), {
        ...{ now: NOW, fence: 9, waited: true, behind },
      }).answer.state;

    it("is remembered by it", () => {
      expect(next(purged(purge)).record).toMatchObject({ state: "claimed", purgedBefore: purge });
      const past = purged({ ...purge, expiresAt: NOW });
      expect(next(past).record).not.toHaveProperty("purgedBefore");
    });

    it("is remembered by the doubt that it leaves, and told to who has waited for it before anybody recovers", () => {
      const doubt = decideAbandon(claim, ref, { now: NOW, executed: false }).record;
      if (typeof doubt === "string") throw new Error("No doubt is left.");
      expect(doubt).toMatchObject({ state: "in_doubt", purgedBefore: purge });
      expect(asks(doubt, 7)).toBe("purged");
      expect(asks(doubt, 8)).toBe("granted");
      expect(next(doubt).record).toMatchObject({ takeover: true, purgedBefore: purge });
    });

    it.each(Object.entries(ends))(
      "is told when that is %s, to who has waited for it and to nobody else",
      (_, end) => {
        const { record, clearEntry } = end(NOW);
        if (typeof record === "string") throw new Error("Nothing is left for those who wait.");
        expect(record).toEqual(purged(purge));
        expect(clearEntry).toBe(true);
        expect(asks(record, 7)).toBe("purged");
        expect(asks(record, 8)).toBe("granted");
        expect(next(record).answer).toMatchObject({ state: "granted" });
        expect(decideRelease(record, ref, NOW)).toEqual({
          ...{ answer: { state: "settled" }, record: "keep" },
        });
        expect(end(NOW + 60_000).record).toBe("free");
      },
    );
  });

  it.each([true, false])(
    "lets a claim go on, and drops its output (in doubt too: %s)",
    (inDoubt) => {
      const { answer, record } = purge(claimed(), inDoubt);
      expect(answer).toBe("live");
      if (typeof record === "string") throw new Error("The claim is not marked.");
      expect(record).toEqual(claimed({ purged: true }));
      const claim = { ...mine, owner: "my-lock" };
      expect(next(record)).toEqual({ answer: { state: "purged", claim }, record: "keep" });
      const intent = { ...mine, tool: "cancel_order" };
      const done = decideComplete(record, intent, { now: NOW, output: "secret" });
      expect(done).toEqual({
        answer: { state: "settled" },
        record: purged({ expiresAt: NOW + 60_000 }),
        clearEntry: true,
      });
      if (typeof done.record === "string") throw new Error("Nothing is left for those who wait.");
      const repeated = decideComplete(done.record, intent, { now: NOW, output: "secret" });
      expect(repeated).toEqual({ answer: { state: "settled" }, record: "keep" });
    },
  );

  it("leaves the doubt of a claim that ends without an outcome", () => {
    const marked = claimed({ purged: true });
    expect(decideDeath(marked, { ...mine, owner: "my-lock" }, NOW).record).toEqual(
      inDoubt({ updatedAt: NOW }),
    );
  });
});

describe("a sweep", () => {
  const old = NOW - 120_000;
  const done = (key: string, over: Partial<Parameters<typeof completed>[0]> = {}) =>
    completed({ key, updatedAt: old, expiresAt: NOW, ...over });

  it("removes what has expired", () => {
    const records = [
      done("a"),
      notApplied({ key: "b", updatedAt: old, expiresAt: NOW }),
      purged({ key: "c", expiresAt: NOW }),
    ];
    expect(decideSweep(records, { now: NOW, excess: 0 })).toEqual(["a", "b", "c"]);
    expect(decideSweep(records, { now: NOW - 1, excess: 0 })).toEqual([]);
  });

  it("removes the first to expire of what is too much", () => {
    const records = ["a", "b", "c"].map((key, i) => done(key, { expiresAt: NOW + 1 + i }));
    expect(decideSweep(records, { now: NOW, excess: 2 })).toEqual(["a", "b"]);
  });

  it("takes no answer from those who may still wait for it", () => {
    const just = { updatedAt: NOW - 59_999 };
    expect(decideSweep([done("a", just)], { now: NOW, excess: 1 })).toEqual([]);
    expect(decideSweep([purged({ expiresAt: NOW + 1 })], { now: NOW, excess: 1 })).toEqual([]);
  });

  it("removes no doubt and no claim, whatever the clock says (C141, isaacs/node-lru-cache#157)", () => {
    const records = [inDoubt({ updatedAt: 0 }), claimed({ updatedAt: 0 })];
    const now = Number.MAX_SAFE_INTEGER;
    expect(decideSweep(records, { now, excess: 1_000 })).toEqual([]);
  });
});

describe("an answer that has expired", () => {
  const expired = completed({ expiresAt: NOW, tool: "other", fingerprint: "f" });

  it("is nobody's any more: its key is free for any intent", () => {
    expect(next(expired).answer).toMatchObject({ state: "granted", takeover: false, fence: 8 });
  });

  it("still goes to those who have waited for it", () => {
    const asked = request({ tool: "other", fingerprint: "f", attempt: 0 });
    const { answer } = decideBegin(expired, asked, { now: NOW + DAY, fence: 8, waited: true });
    expect(answer).toMatchObject({ state: "completed" });
    expect(next(expired, { attempt: 1, tool: "other", fingerprint: "f" }).answer).toMatchObject({
      state: "completed",
    });
  });
});
