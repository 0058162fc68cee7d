// Measures what coordination costs, against the platform and against tabs without a worker; see docs/performance.md.
import { build } from "tsup";
import { buildLibrary } from "./library.mjs";
import { endWithNpm, root, run } from "./run.mjs";

process.chdir(root);
endWithNpm();
await buildLibrary();
await build({
  config: false,
  silent: true,
  entry: { main: "bench/main.ts" },
  outDir: "bench/dist",
  format: "esm",
  platform: "node",
  target: "node20",
  splitting: false,
  sourcemap: true,
  skipNodeModulesBundle: true,
});
process.exit(await run("bench/dist/main.js", process.argv.slice(2)));
