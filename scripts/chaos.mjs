// Faults of all kinds in real tabs at once, on the built demo: `npm run chaos -- --seconds 60 --tabs 8 --seed 1`.
import { build } from "tsup";
import { endWithNpm, root, run } from "./run.mjs";

process.chdir(root);
endWithNpm();
await build({
  config: false,
  silent: true,
  entry: { main: "e2e/chaos/main.ts" },
  outDir: "e2e/chaos/dist",
  format: "esm",
  platform: "node",
  target: "node20",
  splitting: false,
  sourcemap: true,
  skipNodeModulesBundle: true,
});
process.exit(await run("e2e/chaos/dist/main.js", process.argv.slice(2)));
