import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumWarning, findChromium } from "./chromium.mjs";
import { run, tools } from "./run.mjs";
import { simulate } from "./simulation.mjs";
import { judge, readPlaywright, readVitest } from "./tally.mjs";

/** @typedef {import("./tally.mjs").Result} Result */

/**
 * The parts of the check in their order. The build comes early because the demo and the types of its imports
 * use the library as it is packed.
 *
 * @type {readonly { name: string, run: () => Promise<Result> }[]}
 */
export const parts = [
  { name: "style", run: () => tool(tools.biome, ["check", "--error-on-warnings", "."]) },
  { name: "build", run: () => tool("scripts/build.mjs") },
  { name: "types", run: () => tool(tools.tsc, ["--project", "."]) },
  { name: "exports", run: () => tool(tools.knip) },
  { name: "units", run: units },
  { name: "simulation", run: () => simulate({ runs: 10_000, seed: 1 }) },
  { name: "browser", run: () => browser("playwright.config.ts") },
  { name: "chaos", run: () => tool("scripts/chaos.mjs", ["--seconds", "60", "--tabs", "8"]) },
  { name: "sizes", run: () => tool(tools.sizeLimit) },
  { name: "package", run: () => tool("scripts/package.mjs") },
  { name: "bundlers", run: bundlers },
];

export const partNames = parts.map(({ name }) => name);

/**
 * @param {string} script
 * @param {readonly string[]} [args]
 * @returns {Promise<Result>}
 */
async function tool(script, args) {
  return { code: await run(script, args) };
}

function units() {
  return withReport(async (report) => {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await run(tools.vitest, ["run", "--coverage", "--allowOnly=false", ...reporters]);
    return judge(code, () => readVitest(report));
  });
}

/** @param {string} config The Playwright configuration. */
async function browser(config) {
  let path;
  try {
    path = await findChromium();
  } catch (error) {
    return { code: 1, problem: error instanceof Error ? error.message : String(error) };
  }
  const warning = chromiumWarning(path);
  if (warning) console.warn(`Warning: ${warning}`);
  return withReport(async (report) => {
    const args = ["test", `--config=${config}`, "--forbid-only", "--reporter=list,json"];
    const code = await run(tools.playwright, args, {
      CHROMIUM_PATH: path,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    });
    return judge(code, () => readPlaywright(report));
  });
}

async function bundlers() {
  const prepared = await tool("scripts/bundlers.mjs");
  return prepared.code === 0 ? browser("e2e/bundlers/playwright.config.ts") : prepared;
}

/**
 * Gives a test run a fresh place for its report, so that no earlier run's can be counted.
 *
 * @param {(report: string) => Promise<Result>} testRun
 */
async function withReport(testRun) {
  const folder = mkdtempSync(join(tmpdir(), "signett-check-"));
  try {
    return await testRun(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
