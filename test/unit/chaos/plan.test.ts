import { expect, test } from "vitest";
import { FAULTS } from "../../../e2e/chaos/faults.js";
import { Plan } from "../../../e2e/chaos/plan.js";

const TABS = 8;

const round = (plan: Plan, size: number = FAULTS.length) =>
  Array.from({ length: size }, () => plan.nextFault(TABS));

const kinds = (plan: Plan, size?: number) =>
  round(plan, size)
    .map(({ fault }) => fault)
    .sort();

test("a run's seed draws its calls and faults again, another one others", () => {
  const drawn = (seed: number) => {
    const plan = new Plan(seed);
    const calls = Array.from({ length: 20 }, () => plan.nextCall(TABS));
    return { calls, faults: round(plan) };
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7).faults).not.toEqual(drawn(8).faults);
  expect(drawn(7).calls).not.toEqual(drawn(8).calls);
});

test("how many calls there was time for changes nothing about the faults", () => {
  const busy = new Plan(7);
  for (let calls = 0; calls < 100; calls++) busy.nextCall(TABS);
  expect(round(busy)).toEqual(round(new Plan(7)));
});

test("no kind of fault is rare: each round has all of them", () => {
  const plan = new Plan(1);
  for (let rounds = 0; rounds < 20; rounds++) expect(kinds(plan)).toEqual([...FAULTS].sort());
});

test("a fault that could not happen comes once more in the next round", () => {
  const plan = new Plan(1);
  round(plan);
  plan.putBack("worker hangs");
  expect(kinds(plan, FAULTS.length + 1)).toEqual([...FAULTS, "worker hangs"].sort());
  expect(kinds(plan)).toEqual([...FAULTS].sort());
});

test("what lasts ends long before a call would count as stuck", () => {
  const plan = new Plan(3);
  const lasting = round(plan, 500).map(({ lasts }) => lasts);
  expect(Math.max(...lasting)).toBeLessThan(15_000);
});
