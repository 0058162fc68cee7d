import { build } from "tsup";
import { endWithNpm, root, run } from "./run.mjs";

/**
 * Builds `<folder>/main.ts`, runs it with this command's arguments, and ends with its exit code.
 *
 * @param {string} folder
 * @param {() => Promise<unknown>} [prepare] What has to be there before.
 */
export async function runProgram(folder, prepare) {
  process.chdir(root);
  endWithNpm();
  await prepare?.();
  await build({
    config: false,
    silent: true,
    entry: { main: `${folder}/main.ts` },
    outDir: `${folder}/dist`,
    format: "esm",
    platform: "node",
    target: "node20",
    splitting: false,
    sourcemap: true,
    skipNodeModulesBundle: true,
  });
  process.exit(await run(`${folder}/dist/main.js`, process.argv.slice(2)));
}
