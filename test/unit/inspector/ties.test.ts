import { describe, expect, test } from "vitest";
import { tieOf } from "../../../src/inspector/model/ties.js";
import { logOf, START, type Story } from "./reports.js";

/** The last story's tie to an earlier one. */
function tie(stories: readonly Story[], now = 1_000) {
  const log = logOf(...stories);
  const call = log.calls.at(-1);
  const found = call && tieOf(call, log, START + now);
  return found && [found.kind, found.owner.id, found.ownerAt - START, found.at - START];
}

const owner: Story = {
  ...{ id: "owner", tab: "A", key: "k" },
  stages: [
    ["started", 0],
    ["authorized", 1],
    ["executed", 90],
    ["succeeded", 100],
  ],
};
const waiting: Story = {
  ...{ id: "waiter", tab: "B", key: "k", from: 20 },
  stages: [
    ["started", 20],
    ["waiting", 25],
    ["replayed", 102],
    ["succeeded", 103],
  ],
};

describe("the line from a call to its owner", () => {
  test("leads to the call that had the key when this one began to wait", () => {
    expect(tie([owner, waiting])).toEqual(["wait", "owner", 100, 102]);
  });

  test("goes on while both go on", () => {
    const running = { ...owner, stages: owner.stages.slice(0, 2) };
    const still = { ...waiting, stages: waiting.stages.slice(0, 2) };
    expect(tie([running, still], 60)).toEqual(["wait", "owner", 60, 60]);
    expect(tie([running, { ...still, stages: [...still.stages, ["failed", 40]] }], 60)).toEqual([
      "wait",
      "owner",
      40,
      40,
    ]);
  });

  test("passes over others that wait, that came later, that are done, and that replayed", () => {
    const another: Story = {
      ...waiting,
      id: "another",
      from: 10,
      stages: [
        ["started", 10],
        ["waiting", 12],
      ],
    };
    const later: Story = { ...owner, id: "later", from: 30, stages: [["started", 30]] };
    const done: Story = {
      ...owner,
      id: "done",
      stages: [
        ["started", 0],
        ["failed", 5],
      ],
    };
    const replay: Story = {
      ...owner,
      id: "replay",
      stages: [
        ["started", 15],
        ["replayed", 50],
      ],
    };
    expect(tie([another, later, done, replay, waiting])).toBeUndefined();
    expect(tie([another, later, done, replay, owner, waiting])).toEqual([
      "wait",
      "owner",
      100,
      102,
    ]);
  });

  const replaying: Story = {
    ...{ id: "replay", tab: "B", key: "k", from: 500 },
    stages: [
      ["started", 500],
      ["replayed", 504],
      ["succeeded", 505],
    ],
  };

  test("leads from a replay to the call whose answer it is", () => {
    expect(tie([owner, replaying])).toEqual(["replay", "owner", 100, 504]);
    const recovered: Story = {
      ...{ id: "recovered", tab: "C", key: "k", from: 200 },
      stages: [
        ["started", 200],
        ["recovered", 210],
        ["succeeded", 220],
      ],
    };
    expect(tie([owner, recovered, replaying])).toEqual(["replay", "recovered", 220, 504]);
  });

  test("leads to nobody for a call alone, and where nobody told of the owner", () => {
    expect(tie([{ ...owner, id: "alone" }])).toBeUndefined();
    expect(tie([replaying])).toBeUndefined();
    expect(tie([{ id: "plain", stages: [["started", 0]] }])).toBeUndefined();
    const failed: Story = {
      ...owner,
      stages: [
        ["executed", 5],
        ["failed", 6],
      ],
    };
    const late: Story = { ...owner, id: "late", from: 600, stages: [["executed", 700]] };
    const checking: Story = { ...owner, id: "checking", stages: [["started", 3]] };
    expect(tie([failed, late, checking, replaying])).toBeUndefined();
  });
});
