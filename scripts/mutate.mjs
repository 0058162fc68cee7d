// Switches off one rule of the protocol after the other and says whether the simulation notices it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutations } from "../test/simulation/mutations.mjs";
import { root } from "./run.mjs";
import { bundle, live } from "./simulation.mjs";

/** @typedef {import("../test/simulation/mutations.mjs").Mutation} Mutation */
/** @typedef {import("../test/simulation/mutations.mjs").Edit} Edit */

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, only: { type: "string", default: "" } },
});

/** @type {string[]} */
const table = [];
let missed = 0;
let unseen = 0;
for (const mutation of mutations.filter(({ off }) => off.includes(values.only))) {
  const what = await violationWith(mutation);
  if (!what && mutation.unseen) unseen += 1;
  else if (!what) missed += 1;
  const verdict = what ?? mutation.unseen ?? "MISSED";
  table.push(`| ${mutation.rule} | ${mutation.off} | ${verdict} |`);
  console.log(table.at(-1));
}
console.log(`\n| rule | switched off | noticed |\n| --- | --- | --- |\n${table.join("\n")}`);
const caught = table.length - unseen - missed;
console.log(
  `${table.length} mutations, ${caught} noticed, ${unseen} without effect, ${missed} missed`,
);
process.exitCode = missed > 0 ? 1 : 0;

/**
 * The first violation in so many lives without the rule, and its seed.
 *
 * @param {Mutation} mutation
 */
async function violationWith(mutation) {
  const folder = mkdtempSync(join(tmpdir(), "signett-mutation-"));
  try {
    const script = await bundle(folder, [mutating([mutation, mutation.also ?? []].flat())]);
    const { violations } = await live(script, {
      runs: Number(values.runs),
      seed: 1,
      explain: false,
    });
    const [first] = violations;
    return first && `seed ${first.seed}: ${first.what.split("\n")[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly Edit[]} edits
 * @returns {import("esbuild").Plugin}
 */
function mutating(edits) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const { file, find, replace } of edits) {
    const path = join(root, file);
    const text = texts.get(path) ?? readFileSync(path, "utf8");
    if (text.split(find).length !== 2) throw new Error(`${file} must have this once:\n${find}`);
    texts.set(
      path,
      text.replace(find, () => replace),
    );
  }
  return {
    name: "mutation",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = texts.get(path);
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}
