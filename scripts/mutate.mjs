// Switches off one rule of the protocol after the other and proves that the simulation notices it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutations } from "../test/simulation/mutations.mjs";
import { root } from "./run.mjs";
import { bundle, live } from "./simulation.mjs";

/** @typedef {import("../test/simulation/mutations.mjs").Mutation} Mutation */

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, only: { type: "string", default: "" } },
});
let missed = 0;
for (const mutation of mutations.filter(({ off }) => off.includes(values.only))) {
  const folder = mkdtempSync(join(tmpdir(), "signett-mutation-"));
  try {
    const script = await bundle(folder, [mutating(mutation)]);
    const order = { runs: Number(values.runs), seed: 1, explain: false };
    const { runs, violations } = await live(script, order);
    const [first] = violations;
    if (!first) missed += 1;
    const verdict = first
      ? `seed ${first.seed}: ${first.what.split("\n")[0]}`
      : `missed in ${runs}`;
    console.log(
      `rule ${String(mutation.rule).padStart(4)}, off: ${mutation.off}\n           ${verdict}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`${missed} missed`);
process.exitCode = missed > 0 ? 1 : 0;

/**
 * @param {Mutation} mutation
 * @returns {import("esbuild").Plugin}
 */
function mutating({ file, find, replace }) {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  if (text.split(find).length !== 2) throw new Error(`${file} must have this once:\n${find}`);
  return {
    name: "mutation",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, (args) =>
        args.path === path
          ? { contents: text.replace(find, () => replace), loader: "ts" }
          : undefined,
      );
    },
  };
}
