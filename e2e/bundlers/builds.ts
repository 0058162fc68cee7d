import { copyFile, cp } from "node:fs/promises";
import { join } from "node:path";
import { type Command, folder, run, type Serving, serving } from "./commands.js";
import { serveFiles } from "./static.js";

/** One way to build an app with the packed library. */
export interface Build {
  readonly name: string;
  /** Builds it, if there is anything to build, and serves it. */
  serve(): Promise<Serving>;
}

const packedWorker = join(folder, "node_modules/signett/dist/worker.js");
const vite8 = "vite8/bin/vite.js";
const webpack = "webpack-cli/bin/cli.js";
const next = "next/dist/bin/next";

/** The worker's script is found beside the library: the app does not name it. */
const beside: readonly Build[] = [
  {
    name: "Vite 8, dev server",
    // Its cache knows packages by the lock file, which does not change with the library.
    serve: () =>
      serving((port) => [vite8, "apps", "--port", port, "--strictPort", "--force"], /Local:/),
  },
  built("Vite 8", "vite8", [vite8, "build", "apps", "--outDir", "../build/vite8"]),
  built("Vite 7", "vite7", ["vite7/bin/vite.js", "build", "apps", "--outDir", "../build/vite7"]),
  {
    name: "webpack 5, dev server",
    serve: () =>
      serving(
        (port) => [webpack, "serve", "--mode", "development", "--port", port],
        /compiled successfully/,
      ),
  },
  built("webpack 5", "webpack", [webpack, "--mode", "production"], [page]),
  {
    name: "Next 16",
    async serve() {
      await run([next, "build", "apps/next"]);
      return await serving((port) => [next, "start", "apps/next", "-p", port], /Ready in/);
    },
  },
];

/** The worker's script is copied to where the app is served from, and the app names that place. */
const copied: readonly Build[] = [
  built("Rollup", "rollup", ["rollup/dist/bin/rollup", "--config"], [page, worker]),
  built(
    "esbuild",
    "esbuild",
    [
      "esbuild/bin/esbuild",
      ...["main=apps/copied.js", "--outdir=build/esbuild"],
      ...["--bundle", "--format=esm", "--splitting", "--minify"],
    ],
    [page, worker],
  ),
];

/** The files are served as they are in the packages, and an import map says where. */
const unbundled: Build = {
  name: "no bundler",
  async serve() {
    const out = join(folder, "build/plain");
    const copies = [
      ["node_modules/signett/dist", "signett"],
      ["node_modules/comlink/dist/esm/comlink.mjs", "comlink.mjs"],
      ["node_modules/@cfworker/json-schema/dist/esm", "json-schema"],
      ["apps/plain.html", "index.html"],
      ["apps/plain.js", "plain.js"],
      ["apps/tool.js", "tool.js"],
    ] as const;
    for (const [from, to] of copies) {
      await cp(join(folder, from), join(out, to), { recursive: true });
    }
    return await serveFiles("build/plain");
  },
};

export const builds: readonly Build[] = [...beside, ...copied, unbundled];

/** A page with two copies of the library, as two bundles would bring them, under a policy that allows one policy name. */
export async function twoCopies(): Promise<Serving> {
  const out = join(folder, "build/copies");
  for (const copy of ["one", "two"]) {
    await run([
      "esbuild/bin/esbuild",
      "apps/copy.js",
      "--bundle",
      "--format=esm",
      `--outdir=${join(out, copy)}`,
    ]);
    await copyFile(packedWorker, join(out, copy, "worker.js"));
  }
  await copyFile(join(folder, "apps/copies.html"), join(out, "index.html"));
  const policy = "require-trusted-types-for 'script'; trusted-types signett";
  return await serveFiles("build/copies", policy);
}

/** A command that leaves files in a folder of `build`, and what is copied there by hand. */
function built(
  name: string,
  out: string,
  command: Command,
  copies: readonly ((out: string) => Promise<void>)[] = [],
): Build {
  return {
    name,
    async serve() {
      await run(command);
      for (const copy of copies) await copy(join(folder, "build", out));
      return await serveFiles(`build/${out}`);
    },
  };
}

function page(out: string): Promise<void> {
  return copyFile(join(folder, "apps/index.html"), join(out, "index.html"));
}

function worker(out: string): Promise<void> {
  return copyFile(packedWorker, join(out, "signett-worker.js"));
}
