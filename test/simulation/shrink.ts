import type { Plan, Step } from "./plan.js";

/** Makes a failing plan smaller for as long as it still fails: fewer steps, fewer tabs, shorter pauses. */
export async function shrink(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let smallest = plan;
  for (;;) {
    const smaller = await firstThatFails(candidates(smallest), fails);
    if (!smaller) return smallest;
    smallest = smaller;
  }
}

async function firstThatFails(
  plans: Iterable<Plan>,
  fails: (plan: Plan) => Promise<boolean>,
): Promise<Plan | undefined> {
  for (const plan of plans) if (await fails(plan)) return plan;
  return undefined;
}

/** Each is smaller than the plan, the smallest first. */
function* candidates(plan: Plan): Generator<Plan> {
  const { steps } = plan;
  for (
    let size = Math.ceil(steps.length / 2);
    size >= 1;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let start = 0; start < steps.length; start += size) {
      yield { ...plan, steps: steps.filter((_, index) => index < start || index >= start + size) };
    }
  }
  if (plan.scripts.length > 1) yield { ...plan, scripts: plan.scripts.slice(0, 1) };
  if (plan.tabs > 1) yield { ...plan, tabs: plan.tabs - 1 };
  for (const [index, step] of steps.entries()) {
    for (const simpler of simplerSteps(step)) {
      yield { ...plan, steps: steps.map((other, i) => (i === index ? simpler : other)) };
    }
  }
}

function* simplerSteps(step: Step): Generator<Step> {
  if (step.after > 0) {
    yield { ...step, after: 0 };
    yield { ...step, after: Math.floor(step.after / 2) };
  }
  if (step.do !== "call") return;
  if (step.turns > 0) yield { ...step, turns: 0 };
  if (step.handlerMs > 0) yield { ...step, handlerMs: 0 };
  if (step.confirm !== "unasked") yield { ...step, confirm: "unasked" };
  if (step.verify !== "unasked") yield { ...step, verify: "unasked" };
  if (step.handler !== "returns") yield { ...step, handler: "returns" };
}
