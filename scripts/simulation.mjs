import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { esbuild } from "./esbuild.mjs";
import { root } from "./run.mjs";

/**
 * @typedef {import("../test/simulation/thread.js").Report} Report
 * @typedef {import("../test/simulation/thread.js").Order} Order
 * @typedef {Extract<Report, { kind: "violated" }>} Violated
 * @typedef {{ runs: number, faults: number, steps: number, transitions: Map<string, number>, violations: Violated[] }} Sum
 */

/** How often each transition must come in 10,000 runs: what hardly ever happens is not judged. */
const MINIMUM = 100;
const MINIMUM_RUNS = 10_000;

/**
 * Lives the plans of `runs` seeds from `seed` on in several threads, and prints what came of them.
 *
 * @param {{ runs: number, seed: number, plan?: import("../test/simulation/plan.js").Plan | undefined }} options
 * @returns {Promise<{ code: number, problem?: string }>}
 */
export async function simulate({ runs, seed, plan }) {
  const folder = mkdtempSync(join(tmpdir(), "signett-sim-"));
  try {
    const script = await bundle(folder);
    const sum = await live(script, { runs, seed, plan, explain: true });
    return report(sum);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {import("esbuild").Plugin[]} [plugins]
 */
export async function bundle(folder, plugins = []) {
  const outfile = join(folder, "thread.mjs");
  await esbuild.build({
    entryPoints: [join(root, "test/simulation/thread.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    outfile,
    plugins,
    logLevel: "error",
  });
  return outfile;
}

/**
 * Divides the seeds among threads. The first violation ends them all.
 *
 * @param {string} script
 * @param {Order} order
 * @returns {Promise<Sum>}
 */
export async function live(script, { runs, seed, plan, explain }) {
  const threads = Math.min(availableParallelism(), runs);
  const share = Math.ceil(runs / threads);
  /** @type {Sum} */
  const sum = { runs: 0, faults: 0, steps: 0, transitions: new Map(), violations: [] };
  /** @type {Worker[]} */
  const workers = [];
  await Promise.all(
    Array.from({ length: threads }, (_, index) => {
      const first = index * share;
      const workerData = { seed: seed + first, runs: Math.min(share, runs - first), plan, explain };
      const worker = new Worker(script, { workerData });
      workers.push(worker);
      return new Promise((resolve, reject) => {
        worker.on("message", (/** @type {Report} */ report) => {
          add(sum, report);
          if (report.kind === "violated") for (const other of workers) void other.terminate();
        });
        worker.once("error", reject);
        worker.once("exit", resolve);
      });
    }),
  );
  return sum;
}

/**
 * @param {Sum} sum
 * @param {Report} report
 */
function add(sum, report) {
  if (report.kind === "violated") {
    sum.violations.push(report);
    return;
  }
  sum.runs += report.runs;
  sum.faults += report.faults;
  sum.steps += report.steps;
  for (const [name, count] of Object.entries(report.transitions)) {
    sum.transitions.set(name, (sum.transitions.get(name) ?? 0) + count);
  }
}

/**
 * @param {Sum} sum
 * @returns {{ code: number, problem?: string }}
 */
function report({ runs, faults, steps, transitions, violations }) {
  for (const { seed, what, text } of violations) {
    console.log(`${text}\n\nseed ${seed}: ${what}\n`);
  }
  for (const [name, count] of transitions) console.log(`${String(count).padStart(9)}  ${name}`);
  console.log(`${String(steps).padStart(9)}  steps`);
  console.log(`${runs} runs, ${faults} faults, ${violations.length} violations`);
  if (violations.length > 0) return { code: 1, problem: "a life went wrong" };
  const rare = [...transitions].filter(([, count]) => count < MINIMUM).map(([name]) => name);
  if (runs < MINIMUM_RUNS || rare.length === 0) return { code: 0 };
  return { code: 1, problem: `less than ${MINIMUM} times: ${rare.join("; ")}` };
}
