import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { esbuild } from "./esbuild.mjs";
import { root, runOrExit, tools } from "./run.mjs";

const dist = join(root, "dist");

/** Where the entry points come from; `dist/` is flat so that `./worker.js` lies beside the client. */
const sources = {
  index: "src/index",
  client: "client/index",
  inspector: "src/inspector/index",
  opentelemetry: "src/opentelemetry/index",
  playwright: "src/testing/playwright/index",
  react: "src/react/index",
  stores: "stores/index",
  testing: "src/testing/index",
  validation: "src/validation/index",
  "validation-vite": "src/validation/vite",
  worker: "worker/index",
};

/** @satisfies {import("tsup").Options} */
const shared = {
  config: false,
  silent: true,
  outDir: "dist",
  format: "esm",
  platform: "browser",
  target: "es2022",
  sourcemap: true,
};

/** Builds JavaScript and declarations into an empty `dist/`. */
export async function buildLibrary() {
  rmSync(dist, { recursive: true, force: true });
  const { worker, "validation-vite": vite, ...inPages } = sources;
  await build({
    ...shared,
    entry: Object.fromEntries(Object.entries(inPages).map(([name, path]) => [name, `${path}.ts`])),
    splitting: true,
  });
  // A SharedWorker's script resolves no package names, so that everything it needs is in it.
  await build({
    ...shared,
    entry: { worker: `${worker}.ts` },
    splitting: false,
    noExternal: [/./],
    // Served as it is wherever it is copied, or taken as an asset.
    minify: true,
  });
  await build({
    ...shared,
    entry: { "validation-vite": `${vite}.ts` },
    platform: "node",
    target: "node20",
    splitting: false,
  });
  await checkWorkerStandsAlone();
  checkClientFindsWorker();

  await runOrExit(tools.tsc, ["--project", "tsconfig.build.json"]);
  for (const [entry, source] of Object.entries(sources)) {
    writeFileSync(join(dist, `${entry}.d.ts`), `export * from "./types/${source}.js";\n`);
  }
  // What is declared for modules that bundlers make has nothing to compile.
  cpSync("src/validation/modules.d.ts", join(dist, "types/src/validation/modules.d.ts"));
  writeFileSync(
    join(dist, "validation-modules.d.ts"),
    '/// <reference path="./types/src/validation/modules.d.ts" />\n',
  );
  console.log(`dist: ${Object.keys(sources).join(", ")}`);
}

async function checkWorkerStandsAlone() {
  const { metafile } = await esbuild.build({
    stdin: { contents: readFileSync(join(dist, "worker.js"), "utf8") },
    bundle: true,
    external: ["*"],
    format: "esm",
    metafile: true,
    write: false,
  });
  const imports = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  if (imports.length === 0) return;
  const names = imports.map(({ path }) => path).join(", ");
  throw new Error(`dist/worker.js must stand alone, but it imports ${names}.`);
}

function checkClientFindsWorker() {
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js") && name !== "worker.js");
  const reference = 'new URL("./worker.js", import.meta.url)';
  if (scripts.some((name) => readFileSync(join(dist, name), "utf8").includes(reference))) return;
  throw new Error(
    `No script in dist/ says ${reference}: bundlers look for these words to find the worker.`,
  );
}
