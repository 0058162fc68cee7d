import { expect, it } from "vitest";
import { isWithin } from "../../../worker/size.js";

it.each<[string, unknown, number]>([
  ["a text", "x".repeat(100), 100],
  ["a number", 7, 8],
  ["nothing", undefined, 8],
  ["a list", ["abc", "def"], 8 + 6],
  ["an object, with its names", { ab: "cd", ef: null }, 8 + 2 + 2 + 2 + 8],
  ["bytes", new Uint8Array(50), 8 + 50],
  ["a buffer", new ArrayBuffer(50), 8 + 50],
  ["a file", new Blob(["x".repeat(50)]), 8 + 50],
  ["a map", new Map([["ab", "cd"]]), 8 + 4],
  ["a set", new Set(["ab"]), 8 + 2],
])("%s has a size, and a smaller bound refuses it", (_, value, size) => {
  expect(isWithin(value, size)).toBe(true);
  expect(isWithin(value, size - 1)).toBe(false);
});

it("a cycle ends", () => {
  const list: unknown[] = [];
  list.push(list);
  expect(isWithin(list, 16)).toBe(true);
});

it("what is nested deeply is measured like anything else", () => {
  let deep: unknown = [];
  for (let depth = 1; depth < 100_000; depth++) deep = [deep];
  expect(isWithin(deep, 800_000)).toBe(true);
  expect(isWithin(deep, 799_999)).toBe(false);
});

it("a list that is long and empty costs no time", () => {
  expect(isWithin(new Array(2 ** 32 - 1), 1_000)).toBe(false);
});
