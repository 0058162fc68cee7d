// Builds the library into dist/ and the demo into demo/dist/. `--library-only` leaves the demo out.
import { build } from "tsup";
import { buildLibrary } from "./library.mjs";
import { root, runOrExit, tools } from "./run.mjs";

process.chdir(root);
try {
  await buildLibrary();
  if (!process.argv.includes("--library-only")) await buildDemo();
} catch (error) {
  console.error(`\nThe build failed: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

async function buildDemo() {
  await runOrExit(tools.vite, ["build", "--logLevel=warn"]);
  await build({
    config: false,
    silent: true,
    entry: { server: "demo/server/main.ts" },
    outDir: "demo/dist",
    format: "esm",
    platform: "node",
    target: "node20",
    splitting: false,
    sourcemap: true,
    external: ["@electric-sql/pglite"],
  });
  console.log("demo/dist: page and server");
}
