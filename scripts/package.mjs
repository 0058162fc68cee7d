// Looks at the packed library with the eyes of those who will resolve it: bundlers, Node and TypeScript.
import { withTarball } from "./pack.mjs";
import { run, tools } from "./run.mjs";

await withTarball(async (tarball) => {
  const publint = await run(tools.publint, [tarball, "--strict"]);
  // The types are the package's own: none are looked up elsewhere.
  const flags = ["--profile=esm-only", "--no-definitely-typed", "--format=table"];
  const attw = await run(tools.attw, [tarball, ...flags]);
  process.exitCode = publint || attw;
});
