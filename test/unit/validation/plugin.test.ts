import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer, build as viteBuild } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InputCheck } from "../../../src/index.js";
import { signettValidation } from "../../../src/validation/vite.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "signett-plugin-")));
  writeFileSync(
    join(root, "main.js"),
    `export { default as schema } from "./order.schema.json";
     export { default as validate } from "./order.schema.json?validator";`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const schemaIs = (schema: string) => writeFileSync(join(root, "order.schema.json"), schema);

/** Builds the application and gives what it exports. */
async function build(main = "main.js"): Promise<{ schema: object; validate: InputCheck }> {
  await viteBuild({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [signettValidation()],
    resolve: { alias: { "signett/validation": resolve("src/validation/index.ts") } },
    build: { lib: { entry: main, formats: ["es"], fileName: () => "built.mjs" } },
  });
  return import(pathToFileURL(join(root, "dist", "built.mjs")).href);
}

describe("the plugin", () => {
  it("gives a check of the schema, beside the schema itself", async () => {
    schemaIs('{ "required": ["orderId"] }');
    const { schema, validate } = await build();
    expect(schema).toEqual({ required: ["orderId"] });
    expect(validate({ orderId: 1 })).toEqual([]);
    expect(validate({})).toEqual([
      { path: "/orderId", keyword: "required", message: "is required" },
    ]);
  });

  it.each([
    [
      "a schema that does not compile",
      '{ "type": "no" }',
      /order\.schema\.json: TypeError: \/type must be/,
    ],
    ["a file that is no JSON", "{", /order\.schema\.json: .*JSON/],
  ])("fails the build for %s, and names the file", async (_, schema, fault) => {
    schemaIs(schema);
    await expect(build()).rejects.toThrow(fault);
  });

  it("fails the build for a file that is not there, and names it", async () => {
    writeFileSync(join(root, "lost.js"), 'export { default } from "./lost.json?validator";');
    await expect(build("lost.js")).rejects.toThrow("./lost.json was not found");
  });

  it("compiles a schema again when its file was changed, without a new start", async () => {
    schemaIs('{ "required": ["first"] }');
    const server = await createServer({
      root,
      configFile: false,
      logLevel: "silent",
      appType: "custom",
      server: { middlewareMode: true, ws: false },
      plugins: [signettValidation()],
    });
    try {
      const code = async () =>
        (await server.environments.ssr.transformRequest("/order.schema.json?validator"))?.code;
      expect(await code()).toContain("first");
      const changed = new Promise((resolve) => server.watcher.once("change", resolve));
      schemaIs('{ "required": ["second"] }');
      await changed;
      await expect.poll(code).toContain("second");
    } finally {
      await server.close();
    }
  });
});
