import { describe, expect, test } from "vitest";
import { outcomeOf } from "../../../src/inspector/model/outcome.js";
import { doingNow, segmentsOf } from "../../../src/inspector/model/segments.js";
import { callOf, START, type Story } from "./reports.js";

/** What the bar shows: what the call was busy with, and for how many milliseconds. */
const bar = (stages: Story["stages"], now = 0) =>
  segmentsOf(callOf({ stages }), START + now).map(({ doing, from, to }) => [doing, to - from]);

describe("a call's bar", () => {
  test("tells the handler's time from the time of checks, verification and storing", () => {
    expect(
      bar([
        ["started", 0],
        ["validated", 2],
        ["authorized", 3],
        ["executed", 103],
        ["output_validated", 103],
        ["verified", 123],
        ["succeeded", 130],
      ]),
    ).toEqual([
      ["check", 3],
      ["execute", 100],
      ["verify", 20],
      ["settle", 7],
    ]);
  });

  test("shows the time in which a person was asked, also when they declined", () => {
    const asked = [
      ["started", 0],
      ["authorized", 1],
      ["confirmation_requested", 2],
    ] as const;
    expect(bar([...asked, ["confirmed", 52], ["executed", 60], ["succeeded", 61]])).toEqual([
      ["check", 2],
      ["approval", 50],
      ["execute", 8],
      ["settle", 1],
    ]);
    expect(bar([...asked, ["declined", 52], ["failed", 52]])).toEqual([
      ["check", 2],
      ["approval", 50],
    ]);
  });

  test("shows the wait for another call's answer, whatever ended it", () => {
    const waiting = [
      ["started", 0],
      ["authorized", 1],
      ["waiting", 5],
    ] as const;
    expect(bar([...waiting, ["replayed", 95], ["verified", 98], ["succeeded", 99]])).toEqual([
      ["check", 5],
      ["wait", 90],
      ["verify", 3],
      ["settle", 1],
    ]);
    expect(bar([...waiting, ["failed", 95]])).toEqual([
      ["check", 5],
      ["wait", 90],
    ]);
  });

  test("shows where the wait ended in a claim, and the call's own execution began", () => {
    expect(
      bar([
        ["started", 0],
        ["waiting", 5],
        ["claimed", 50],
        ["executed", 60],
        ["succeeded", 61],
      ]),
    ).toEqual([
      ["check", 5],
      ["wait", 45],
      ["execute", 10],
      ["settle", 1],
    ]);
  });

  test("shows recovery as what it is, not as a second execution", () => {
    expect(
      bar([
        ["started", 0],
        ["authorized", 1],
        ["recovered", 41],
        ["succeeded", 42],
      ]),
    ).toEqual([
      ["check", 1],
      ["recover", 40],
      ["settle", 1],
    ]);
  });

  test("of a running call ends now, and says what it is busy with", () => {
    const running = [
      ["started", 0],
      ["authorized", 10],
    ] as const;
    expect(bar(running, 200)).toEqual([
      ["check", 10],
      ["execute", 190],
    ]);
    expect(doingNow(callOf({ stages: running }))).toBe("execute");
    expect(doingNow({ ...callOf({ stages: running }), marks: [] })).toBe("check");
  });

  test("of a failure that nothing came before is what the call was busy with", () => {
    expect(
      bar([
        ["started", 0],
        ["validated", 1],
        ["failed", 9],
      ]),
    ).toEqual([["check", 9]]);
    expect(
      bar([
        ["started", 0],
        ["authorized", 1],
        ["outcome_unknown", 9],
      ]),
    ).toEqual([
      ["check", 1],
      ["execute", 8],
    ]);
  });
});

describe("a call's outcome in words", () => {
  const outcome = (stages: Story["stages"], error?: Story["error"]) =>
    outcomeOf(callOf({ stages, ...(error && { error }) }));

  test("says what a running call is busy with", () => {
    expect(outcome([["started", 0]])).toEqual({ tone: "running", text: "checking" });
    expect(outcome([["waiting", 0]])).toEqual({ tone: "waiting", text: "waits for owner" });
    expect(outcome([["confirmation_requested", 0]])).toEqual({
      tone: "waiting",
      text: "asks for approval",
    });
  });

  test("says how far the handler is, as it counts", () => {
    const text = (progress: Story["progress"]) =>
      outcomeOf(callOf({ stages: [["authorized", 0]], ...(progress && { progress }) })).text;
    expect(text({ done: 3, total: 10, label: "Rows" })).toBe("executing 3/10");
    expect(text({ done: 3 })).toBe("executing 3");
    expect(text(undefined)).toBe("executing");
  });

  test("tells an answer of its own from a replayed and a recovered one", () => {
    expect(
      outcome([
        ["executed", 0],
        ["succeeded", 1],
      ]),
    ).toEqual({ tone: "good", text: "succeeded" });
    expect(
      outcome([
        ["recovered", 0],
        ["succeeded", 1],
      ]),
    ).toEqual({ tone: "good", text: "recovered" });
    expect(
      outcome([
        ["replayed", 0],
        ["succeeded", 1],
      ]),
    ).toEqual({ tone: "replay", text: "replayed" });
  });

  test("tells failures by their code, else by their name, and doubt from failure", () => {
    const failed = [
      ["started", 0],
      ["failed", 1],
    ] as const;
    expect(outcome(failed, { name: "ToolError", code: "sold_out" }).text).toBe("sold_out");
    expect(outcome(failed, { name: "TypeError" })).toEqual({ tone: "bad", text: "TypeError" });
    expect(outcome(failed).text).toBe("failed");
    expect(
      outcome([
        ["declined", 0],
        ["failed", 1],
      ]).text,
    ).toBe("declined");
    expect(
      outcome([
        ["started", 0],
        ["outcome_unknown", 1],
      ]),
    ).toEqual({
      tone: "doubt",
      text: "outcome unknown",
    });
  });
});
