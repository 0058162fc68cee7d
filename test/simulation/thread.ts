import { parentPort, workerData } from "node:worker_threads";
import { planOf } from "./draw.js";
import { live } from "./life.js";
import type { Plan } from "./plan.js";
import { shrink } from "./shrink.js";
import { planText, tracing } from "./trace.js";
import { TRANSITIONS, type Transition } from "./transitions.js";

/** What a thread is to do: the plans of so many seeds, or one plan. */
export interface Order {
  readonly seed: number;
  readonly runs: number;
  readonly plan?: Plan | undefined;
  /** Write the trace of a violation. Without it the first violation is only counted. */
  readonly explain: boolean;
}

/** What a thread has to tell. */
export type Report =
  | {
      readonly kind: "lived";
      readonly runs: number;
      readonly faults: number;
      readonly steps: number;
      /** All of them, also those that did not come. */
      readonly transitions: Counts;
    }
  | {
      readonly kind: "violated";
      readonly seed: number;
      readonly what: string;
      readonly text: string;
    };

type Counts = Record<Transition, number>;

/** How many lives are told of together. */
const BATCH = 50;

async function work(
  { seed, runs, plan, explain }: Order,
  tell: (report: Report) => void,
): Promise<void> {
  for (let start = 0; start < runs; start += BATCH) {
    const transitions = Object.fromEntries(TRANSITIONS.map((name) => [name, 0])) as Counts;
    let faults = 0;
    let steps = 0;
    const end = Math.min(runs, start + BATCH);
    for (let run = start; run < end; run++) {
      const lived = plan ?? planOf(seed + run);
      const outcome = await live(lived);
      faults += outcome.faults;
      steps += outcome.steps;
      for (const name of outcome.transitions) transitions[name] += 1;
      if (outcome.violation === undefined) continue;
      const text = explain ? await explained(lived, outcome.violation) : "";
      tell({ kind: "violated", seed: lived.seed, what: outcome.violation, text });
      return;
    }
    tell({ kind: "lived", runs: end - start, faults, steps, transitions });
  }
}

/** The smallest plan with this violation, and all that happens in it. */
async function explained(plan: Plan, violation: string): Promise<string> {
  const [what] = violation.split("\n");
  const smallest = await shrink(plan, async (smaller) => {
    const { violation } = await live(smaller);
    return violation?.split("\n")[0] === what;
  });
  const lines: string[] = [];
  await live(smallest, tracing(lines));
  return [planText(smallest), ...lines, `--plan '${JSON.stringify(smallest)}'`].join("\n");
}

const port = parentPort;
if (!port) throw new Error("This is the script of a worker thread.");
process.on("unhandledRejection", (error) => {
  throw error;
});
console.warn = () => {};
await work(workerData as Order, (report) => port.postMessage(report));
