import { describe, expect, it } from "vitest";
import { decideBegin, decideDeath, decideStart } from "../../../stores/decisions.js";
import type { ClaimedRecord, OperationRecord } from "../../../stores/records.js";
import { inDoubt, NOW, request } from "./samples.js";

const MINUTE = 60_000;

const begin = (record: OperationRecord, now: number, over = {}) =>
  decideBegin(record, request({ attempt: 0, ...over }), {
    now,
    fence: record.fence + 1,
    waited: false,
  });

/** A takeover that ends in doubt. */
function fail(record: OperationRecord, now: number): OperationRecord {
  const claim = takenOver(record, now);
  const { record: doubt } = decideDeath(claim, claim, now);
  if (typeof doubt === "string") throw new Error("The takeover left no doubt.");
  return doubt;
}

function takenOver(record: OperationRecord, now: number): ClaimedRecord {
  const { record: claim } = begin(record, now);
  if (typeof claim === "string" || claim.state !== "claimed") throw new Error("No takeover.");
  return claim;
}

/** In doubt after so many takeovers. */
function failed(times: number): OperationRecord {
  let record: OperationRecord = inDoubt();
  for (let i = 0; i < times; i += 1) record = fail(record, NOW + i * 2 * MINUTE);
  return record;
}

describe("recovery that has failed", () => {
  it("four times is asked again at once", () => {
    expect(begin(failed(4), NOW + 6 * MINUTE).answer).toMatchObject({ takeover: true });
  });

  it("five times is asked at most once a minute, by whatever calls", () => {
    const record = failed(5);
    const end = NOW + 8 * MINUTE;
    const postponed = { state: "postponed", attempts: 5, recoverAt: end + MINUTE };
    for (const call of ["a", "b"]) {
      expect(begin(record, end, { call })).toEqual({ answer: postponed, record: "keep" });
      expect(begin(record, end + MINUTE - 1, { call })).toEqual({
        answer: postponed,
        record: "keep",
      });
    }
    expect(begin(record, end + MINUTE).answer).toMatchObject({ state: "granted", takeover: true });
  });

  it("is never refused for good, however often it fails", () => {
    const end = NOW + 98 * MINUTE;
    expect(failed(50)).toMatchObject({ attempts: 50, recoverAt: end + MINUTE });
    expect(begin(failed(50), end + MINUTE).answer).toMatchObject({ takeover: true });
  });

  it("is asked though the clock has gone back for a day since", () => {
    expect(begin(failed(5), NOW - 86_400_000).answer).toMatchObject({ takeover: true });
  });

  it("tells a call with another intent of the conflict, and not when to try again", () => {
    const answer = { state: "conflict", reason: "tool" };
    expect(begin(failed(5), NOW + 8 * MINUTE, { tool: "refund" }).answer).toEqual(answer);
  });

  it("is forgotten once it has proved that nothing happened", () => {
    const claim = takenOver(failed(9), NOW + 99 * MINUTE);
    expect(claim.attempts).toBe(9);
    const { record: fresh } = decideStart(claim, claim, { now: NOW, fresh: true });
    expect(fresh).not.toHaveProperty("attempts");
    if (typeof fresh === "string") throw new Error("Nothing was started.");
    const { record: doubt } = decideDeath(fresh, claim, NOW);
    expect(doubt).not.toHaveProperty("attempts");
    expect(doubt).not.toHaveProperty("recoverAt");
  });
});
