import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { exportsOf, undocumented } from "./documented.js";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values<{ types?: string }>(manifest.exports).flatMap(
  ({ types }) => types ?? [],
);

describe("a reader's editor", () => {
  test.each(entries)("has something to say about each name of %s", (entry) => {
    expect(undocumented(resolve(entry))).toEqual([]);
  });
});

describe("the check of doc comments", () => {
  test("follows a name to its declaration, and finds the one that nothing is said about", () => {
    const folder = mkdtempSync(join(tmpdir(), "signett-docs-"));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write(
      "index.d.ts",
      `export * from "./all.js";\nexport { type Said, silent as renamed } from "./some.js";`,
    );
    write("all.d.ts", `import { Kept } from "./some.js";\nexport { Kept };`);
    write(
      "some.d.ts",
      `
      /** A. */
      export interface Said {}
      /** B. */
      export declare class Kept {}
      /* No doc comment. */
      export declare const silent: 1;`,
    );
    const entry = join(folder, "index.d.ts");
    expect(exportsOf(entry)).toEqual(["Kept", "Said", "renamed"]);
    expect(undocumented(entry)).toEqual(["renamed"]);
    rmSync(folder, { recursive: true });
  });
});
