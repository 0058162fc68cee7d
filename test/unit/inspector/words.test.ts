import { expect, test } from "vitest";
import { age, bytes, duration, moment, timeOfDay } from "../../../src/inspector/model/format.js";
import { TabNames } from "../../../src/inspector/model/tab-names.js";

test("durations are short enough for a column, and exact enough to compare", () => {
  const spans = [0, 12.4, 999, 1_000, 1_234, 12_345, 59_940, 61_000, 3_600_000, 90_000_000];
  expect(spans.map(duration)).toEqual([
    "0 ms",
    "12 ms",
    "999 ms",
    "1.00 s",
    "1.23 s",
    "12.3 s",
    "59.9 s",
    "1 min 01 s",
    "1 h 00 min",
    "1 d 01 h",
  ]);
});

test("ages change rarely, so that a list stays calm", () => {
  expect([0, 1_500, 61_000, 3_700_000, 90_000_000].map(age)).toEqual([
    "now",
    "1 s",
    "1 min",
    "1 h",
    "1 d",
  ]);
});

test("moments are local, with milliseconds", () => {
  const date = new Date(2026, 0, 2, 3, 4, 5, 6);
  expect(timeOfDay(date.getTime())).toBe("03:04:05.006");
  expect(moment(date.getTime())).toBe("2026-01-02 03:04:05.006");
});

test("sizes have a unit that keeps them short", () => {
  expect([0, 999, 1_000, 123_456, 1_500_000, 2e9, 5e12].map(bytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "123 kB",
    "1.5 MB",
    "2.0 GB",
    "5000 GB",
  ]);
});

test("tabs keep the numbers in which they were heard of, and this one is the first", () => {
  const tabs = new TabNames("own");
  expect(tabs.nameOf("x")).toBe("tab 2");
  expect(tabs.numberOf("y")).toBe(3);
  expect(tabs.nameOf("x")).toBe("tab 2");
  expect(tabs.nameOf("own")).toBe("this tab");
  expect(tabs.count).toBe(3);
});
