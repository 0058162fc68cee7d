// Lives random lives of a browser profile on virtual time and faults, and judges each step:
// `npm run sim -- --runs 10000 --seed 1`, `--plan '{…}'` for one that a violation printed.
import { parseArgs } from "node:util";
import { simulate } from "./simulation.mjs";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    plan: { type: "string" },
  },
});
const plan = values.plan === undefined ? undefined : JSON.parse(values.plan);
const runs = plan ? 1 : Number(values.runs);
const { code, problem } = await simulate({ runs, seed: Number(values.seed), plan });
if (problem) console.error(problem);
process.exitCode = code;
