import { beforeEach, describe, expect, it } from "vitest";
import { Replays } from "../../../stores/replays.js";
import { claimed, completed } from "./samples.js";

let replays: Replays;

beforeEach(() => {
  replays = new Replays();
  replays.open();
});

const kept = (output: unknown, key = "order-1"): boolean => {
  replays.learn(key, completed({ key, output }), replays.era);
  return replays.find(key) !== undefined;
};

describe("what a coordinator keeps in its memory", () => {
  it("is completed operations, and nothing that can still change", () => {
    replays.learn("order-1", claimed(), replays.era);
    replays.learn("order-1", undefined, replays.era);
    expect(replays.find("order-1")).toBeUndefined();
    const record = completed();
    replays.learn("order-1", record, replays.era);
    expect(replays.find("order-1")).toBe(record);
    replays.learn("order-1", claimed(), replays.era);
    expect(replays.find("order-1")).toBeUndefined();
  });

  it("is nothing as long as somebody may purge", () => {
    replays = new Replays();
    expect(kept("output")).toBe(false);
  });

  it("is forgotten for a purge, together with what is being read meanwhile", () => {
    expect(kept("output")).toBe(true);
    const { era } = replays;
    replays.clear();
    expect(replays.find("order-1")).toBeUndefined();
    replays.open();
    replays.learn("order-1", completed(), era);
    expect(replays.find("order-1")).toBeUndefined();
  });

  it("is forgotten alone when one record changes", () => {
    kept("one", "order-1");
    kept("two", "order-2");
    replays.forget("order-1");
    expect(replays.find("order-1")).toBeUndefined();
    expect(replays.find("order-2")).toBeDefined();
  });

  it("is bounded in number: the oldest goes first", () => {
    for (let i = 0; i <= 1_000; i++) kept(i, `order-${i}`);
    expect(replays.find("order-0")).toBeUndefined();
    expect(replays.find("order-1")).toBeDefined();
    expect(replays.find("order-1000")).toBeDefined();
  });

  it.each([
    undefined,
    null,
    "x".repeat(3_900),
    { list: [1, 2, { a: "b" }] },
    new Array(300).fill(0),
  ])("has room for a small output: %#", (output) => expect(kept(output)).toBe(true));

  it.each(["x".repeat(4_001), new Array(1_000).fill(0), { ["k".repeat(4_001)]: 1 }, nested(1_000)])(
    "has no room for a large one: %#",
    (output) => expect(kept(output)).toBe(false),
  );
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
