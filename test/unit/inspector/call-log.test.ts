import { describe, expect, test } from "vitest";
import { CallLog } from "../../../src/inspector/model/call-log.js";
import { logOf, reportsOf, START } from "./reports.js";

const ids = (log: CallLog) => log.calls.map(({ id }) => id);

describe("the log of calls", () => {
  test("shows a call from its start to its end, with the error that agents were told", () => {
    const error = { name: "ValidationError", code: "invalid_input" };
    const log = logOf({
      id: "a",
      stages: [
        ["started", 0],
        ["failed", 3],
      ],
      error,
    });
    expect(log.calls).toMatchObject([
      {
        ...{ id: "a", tab: "A", tool: "pay", startedAt: START },
        end: { stage: "failed", at: START + 3, error },
      },
    ]);
    expect(log.running).toBe(0);
  });

  test("counts the calls that run", () => {
    const log = logOf({ id: "a", stages: [["started", 0]] }, { id: "b", stages: [["started", 1]] });
    expect(log.running).toBe(2);
    for (const report of reportsOf({ id: "a", stages: [["succeeded", 5]] })) log.add(report);
    expect(log.running).toBe(1);
  });

  test("knows when a call began that it hears of in the middle", () => {
    const log = logOf({ id: "a", from: 10, stages: [["executed", 250]] });
    expect(log.calls[0]?.startedAt).toBe(START + 10);
  });

  test("takes registrations for no calls", () => {
    const stages = [
      "registering",
      "registered",
      "unsupported",
      "registration_failed",
      "unregistered",
    ] as const;
    for (const stage of stages) expect(logOf({ id: "a", stages: [[stage, 0]] }).calls).toEqual([]);
  });

  test("takes a stage that is told again for no second one, and its key for news", () => {
    const log = logOf({ id: "a", stages: [["started", 0]] });
    const before = log.calls[0]?.revision ?? 0;
    for (const report of reportsOf({ id: "a", key: "k", stages: [["started", 0]] }))
      log.add(report);
    expect(log.calls[0]).toMatchObject({ key: "k", marks: [{ stage: "started" }] });
    expect(log.calls[0]?.revision).toBeGreaterThan(before);
    expect([...log.sharing("k")].map(({ id }) => id)).toEqual(["a"]);
  });

  test("keeps the first end of a call, whatever is told after it", () => {
    const log = logOf({
      id: "a",
      stages: [
        ["started", 0],
        ["succeeded", 2],
        ["outcome_unknown", 9],
      ],
    });
    expect(log.calls[0]?.end?.stage).toBe("succeeded");
    expect(log.running).toBe(0);
  });

  test("forgets the oldest calls beyond its limit, also those that ran and had a key", () => {
    const log = new CallLog(2);
    for (const id of ["a", "b", "c"]) {
      for (const report of reportsOf({ id, key: "k", stages: [["started", 0]] })) log.add(report);
    }
    expect(ids(log)).toEqual(["b", "c"]);
    expect([...log.sharing("k")].map(({ id }) => id)).toEqual(["b", "c"]);
    expect(log.running).toBe(2);
    for (const report of reportsOf({ id: "d", key: "l", stages: [["started", 0]] }))
      log.add(report);
    for (const report of reportsOf({ id: "e", stages: [["started", 0]] })) log.add(report);
    expect([...log.sharing("k")]).toEqual([]);
  });

  test("a limit does not keep what has no key", () => {
    const log = new CallLog(1);
    for (const id of ["a", "b"]) {
      for (const report of reportsOf({
        id,
        stages: [
          ["started", 0],
          ["failed", 1],
        ],
      }))
        log.add(report);
    }
    expect(ids(log)).toEqual(["b"]);
    expect(log.running).toBe(0);
  });

  test("clearing it keeps the calls that run, so that their ends find them", () => {
    const log = logOf(
      {
        id: "a",
        stages: [
          ["started", 0],
          ["succeeded", 1],
        ],
      },
      { id: "b", stages: [["started", 0]] },
    );
    log.clear();
    expect(ids(log)).toEqual(["b"]);
    for (const report of reportsOf({ id: "b", stages: [["succeeded", 5]] })) log.add(report);
    expect(log.running).toBe(0);
  });
});
