import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";
import { esbuild } from "../../scripts/esbuild.mjs";

const dist = resolve("dist");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const peers = Object.keys(manifest.peerDependencies);
const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
const entries = Object.values<{ default?: string }>(manifest.exports).flatMap(
  (entry) => entry.default ?? [],
);

describe("the packed scripts", () => {
  test("import only what the package declares", () => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const known = [...declared, manifest.name];
    const undeclared = scripts.flatMap(packagesOf).filter((name) => !known.includes(name));
    expect(undeclared).toEqual([]);
  });

  test("have a worker's script that is complete, and runs as a classic script too", () => {
    const { errors } = parseSync("worker.js", readFileSync(join(dist, "worker.js"), "utf8"), {
      sourceType: "script",
    });
    expect(errors).toEqual([]);
    expect(packagesOf("worker.js")).toEqual([]);
  });

  test.each(entries)(
    "can be imported by a server, where %s starts nothing and throws nothing",
    (entry) => {
      const program = `
      // What an application's own packages add is theirs.
      await Promise.allSettled(${JSON.stringify(peers)}.map((name) => import(name)));
      const before = Reflect.ownKeys(globalThis);
      await import(${JSON.stringify(resolve(entry))});
      const added = Reflect.ownKeys(globalThis).filter((key) => !before.includes(key));
      console.log(JSON.stringify(added));`;
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ["--input-type=module", "--eval", program],
        { encoding: "utf8", timeout: 10_000 },
      );
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
      expect(JSON.parse(stdout)).toEqual([]);
    },
  );
});

describe("a page that bundles the package", () => {
  test("pays nothing for an import that it does not use", async () => {
    for (const entry of entries.filter((path) => !path.includes("worker"))) {
      expect([entry, await bundled(`import * as unused from "./${entry}";`)]).toEqual([entry, ""]);
    }
  });

  test("keeps the worker's script, which does its work by running", async () => {
    expect(await bundled(`import "./dist/worker.js";`)).toContain("connect");
  });

  test("gets no runtime and no validator for `assertToolReady` alone", async () => {
    const script = await bundled(`export { assertToolReady } from "./dist/index.js";`);
    expect(script).toContain("is not ready for agents");
    for (const word of [
      "registerTool",
      "randomUUID",
      "import(",
      "idempotency_conflict",
      "Symbol.dispose",
    ]) {
      expect(script).not.toContain(word);
    }
  });

  test("gets no ToolError where it makes none", async () => {
    const script = await bundled(`export { createSignett } from "./dist/index.js";`);
    expect(script).toContain("registerTool");
    expect(script).not.toContain("Next action");
  });
});

function packagesOf(script: string): string[] {
  const text = readFileSync(join(dist, script), "utf8");
  const names: string[] = [];
  const add = (source: unknown) => {
    const value = typeof source === "object" && source && "value" in source ? source.value : "";
    if (typeof value !== "string" || /^(\.|$)/.test(value) || isBuiltin(value)) return;
    names.push(value.split("/", value.startsWith("@") ? 2 : 1).join("/"));
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
  }).visit(parseSync(script, text).program);
  return names;
}

/** What a bundler makes of a module that imports the build. Packages are left out, as are chunks for later. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: resolve(".") },
    bundle: true,
    minifySyntax: true,
    write: false,
    format: "esm",
    packages: "external",
    plugins: [onDemandApart],
  });
  return outputFiles.map(({ text }) => text).join("");
}

const onDemandApart: import("esbuild").Plugin = {
  name: "on-demand-apart",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind }) =>
      kind === "dynamic-import" ? { external: true } : undefined,
    );
  },
};
