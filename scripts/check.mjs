// The whole truth: `npm run check` runs every part, `npm run check -- units browser` only those.
import { partNames, parts } from "./parts.mjs";
import { endWithNpm } from "./run.mjs";

endWithNpm();

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !partNames.includes(name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(", ")}. The parts are ${partNames.join(", ")}.`);
  process.exit(2);
}

/** @type {{ name: string, seconds: string }[]} */
const done = [];
let passed = 0;

/** @param {string} last The line that says how it ended. */
function summarize(last) {
  console.log("\n── summary");
  for (const { name, seconds } of done) console.log(`${name.padEnd(10)} ${seconds.padStart(6)} s`);
  console.log(`\n${last}`);
}

for (const { name, run } of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name}`);
  const start = performance.now();
  const result = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  done.push({ name, seconds });
  console.log(`── ${name}: ${seconds} s`);
  if (result.code !== 0) {
    summarize(`${name} failed: ${result.problem ?? `exit code ${result.code}`}`);
    process.exit(result.code);
  }
  passed += result.passed ?? 0;
}

summarize(`${passed} passed, 0 failed`);
