import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { planOf } from "./draw.js";
import { live } from "./life.js";
import { mutations } from "./mutations.mjs";
import type { Plan } from "./plan.js";
import { shrink } from "./shrink.js";
import { planText, tracing } from "./trace.js";

beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** `npm run sim` lives thousands. */
const SEEDS = Array.from({ length: 40 }, (_, seed) => 1_000_000 + seed);

it("whatever dies, hangs, is lost or fails: one effect, one answer, nobody waits for ever, nothing is left (C072, firebase/firebase-js-sdk#5890)", async () => {
  for (const seed of SEEDS) {
    const { violation } = await live(planOf(seed));
    expect([seed, violation]).toEqual([seed, undefined]);
  }
}, 60_000);

it("a life that went wrong can be lived again, step by step", async () => {
  const lived = async () => {
    const lines: string[] = [];
    await live(planOf(7), tracing(lines));
    return lines;
  };
  const first = await lived();
  expect(first.length).toBeGreaterThan(50);
  expect(await lived()).toEqual(first);
});

it("a plan that fails is made as small as what makes it fail", async () => {
  const isCrash = ({ do: what }: Plan["steps"][number]) => what === "tab crashes";
  const plan = SEEDS.map(planOf).find(({ steps }) => steps.length > 8 && steps.some(isCrash));
  if (!plan) throw new Error("No plan has a crash.");
  const smallest = await shrink(plan, async ({ steps }) => steps.some(isCrash));
  expect(smallest.steps).toEqual([{ do: "tab crashes", tab: expect.any(Number), after: 0 }]);
  expect(smallest.tabs).toBe(1);
  expect(planText(smallest)).toContain("after 0 steps: tab crashes");
});

it("each rule that can be switched off is where it was", () => {
  const root = new URL("../../", import.meta.url);
  const edits = mutations.flatMap((mutation) => [mutation, mutation.also ?? []].flat());
  const lost = edits.filter(
    ({ file, find }) => readFileSync(new URL(file, root), "utf8").split(find).length !== 2,
  );
  expect(lost).toEqual([]);
});
