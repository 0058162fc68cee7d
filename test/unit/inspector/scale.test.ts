import { describe, expect, test } from "vitest";
import { createScale } from "../../../src/inspector/model/scale.js";

describe("the axis of the waterfall", () => {
  test("spans all calls, in proportion", () => {
    const { at, folds } = createScale([
      { from: 100, to: 200 },
      { from: 150, to: 300 },
    ]);
    expect([at(100), at(200), at(300)]).toEqual([0, 0.5, 1]);
    expect(folds).toEqual([]);
  });

  test("folds the pauses, so that calls of a whole day stay readable", () => {
    const hour = 3_600_000;
    const { at, folds } = createScale([
      { from: hour, to: hour + 100 },
      { from: 0, to: 100 },
    ]);
    expect(at(100)).toBeCloseTo(0.485);
    expect(at(hour)).toBeCloseTo(0.515);
    expect(at(hour / 2)).toBeCloseTo(0.5);
    expect(folds).toHaveLength(1);
    expect(folds[0]?.ms).toBe(hour - 100);
    expect(folds[0]?.x).toBeCloseTo(0.5);
  });

  test("keeps pauses that are short beside the calls", () => {
    const { folds } = createScale([
      { from: 0, to: 10_000 },
      { from: 11_000, to: 20_000 },
    ]);
    expect(folds).toEqual([]);
  });

  test("leaves room for the calls between however many pauses", () => {
    const intervals = Array.from({ length: 100 }, (_, i) => ({ from: i * 1e6, to: i * 1e6 + 50 }));
    const { at, folds } = createScale(intervals);
    expect(folds).toHaveLength(99);
    const widths = intervals.map(({ from, to }) => at(to) - at(from));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(0.6);
    expect(at(99e6 + 50)).toBeCloseTo(1);
  });

  test("is in order, and stays within its bounds, before, between and after the calls", () => {
    const { at } = createScale([
      { from: 1_000, to: 1_010 },
      { from: 9_000, to: 9_500 },
    ]);
    const places = [0, 1_000, 1_005, 5_000, 9_000, 9_100, 20_000].map(at);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places.at(-1)).toBeCloseTo(1);
  });

  test("of calls that took no time, and of none, is no division by zero", () => {
    const { at, ticks } = createScale([
      { from: 5, to: 5 },
      { from: 5_000, to: 5_000 },
    ]);
    expect(at(5)).toBe(0);
    expect(at(5_000)).toBeGreaterThan(0.5);
    expect(ticks.map(({ value }) => value)).toEqual([5, 5_000]);
    expect(createScale([]).at(7)).toBe(0);
    expect(createScale([]).ticks).toEqual([]);
  });

  test("labels each stretch with its time, then in round steps that don't collide", () => {
    const { ticks } = createScale([{ from: 0, to: 1_000 }], 0.1);
    expect(ticks).toEqual([
      { x: 0, start: true, value: 0 },
      ...[200, 300, 400, 500, 600, 700, 800, 900].map((value) => ({
        x: value / 1_000,
        start: false,
        value,
      })),
    ]);
    expect(createScale([{ from: 0, to: 333 }], 0.3).ticks.map(({ value }) => value)).toEqual([
      0, 200,
    ]);
    expect(createScale([{ from: 0, to: 700 }], 0.9).ticks.map(({ value }) => value)).toEqual([0]);
  });

  test("labels no stretch that has no room for it", () => {
    const { ticks } = createScale(
      [
        { from: 0, to: 1 },
        { from: 10_000, to: 10_001 },
        { from: 20_000, to: 21_000 },
      ],
      0.2,
    );
    expect(ticks[0]).toEqual({ x: 0, start: true, value: 0 });
    expect(ticks.filter(({ start }) => start)).toHaveLength(1);
  });
});
