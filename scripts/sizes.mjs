// Prints what each entry point costs a page: minified, with what it imports, after Brotli. What it loads
// later, on demand, is not counted.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { esbuild } from "./esbuild.mjs";
import { root } from "./run.mjs";

/** @type {import("esbuild").Plugin} */
const onDemandApart = {
  name: "on-demand-apart",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind }) =>
      kind === "dynamic-import" ? { external: true } : undefined,
    );
  },
};

const dist = join(root, "dist");
for (const declarations of readdirSync(dist).filter((name) => name.endsWith(".d.ts"))) {
  const entry = declarations.replace(/\.d\.ts$/, "");
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(dist, `${entry}.js`)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    plugins: [onDemandApart],
  });
  const minified = Buffer.concat(outputFiles.map(({ contents }) => contents));
  const bytes = brotliCompressSync(minified).length;
  console.log(`${entry.padEnd(8)} ${String(bytes).padStart(7)} bytes min + brotli`);
}
