import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { described, marksOf, reportedIn } from "./marks.js";

const folder = "test/unit/type-errors/fixtures";

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => `${folder}/${name}`);

/** Compiles all fixtures at once. */
function compile(): string {
  const tsc = join("node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "--project", folder, "--pretty", "false"];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

describe("wrong uses of the library", () => {
  test("are refused by the compiler, each at its own line and for its own reason, and nothing else is", () => {
    const marks = files.flatMap(marksOf);
    expect(marks.length).toBeGreaterThan(50);
    expect(described(reportedIn(compile()), marks)).toEqual(described(marks));
  });
});

describe("the comparison", () => {
  const marks = [{ place: "a.ts:2", text: "not assignable" }];
  const output = "a.ts(2,5): error TS2322: Type 'A'\n  is not assignable to type 'B'.\n";

  test("takes an error and the lines that explain it as one", () => {
    expect(described(reportedIn(output), marks)).toEqual(["a.ts:2 not assignable"]);
  });

  test("keeps an error at another line, for another reason, or beside the marked one", () => {
    const others =
      "a.ts(3,5): error TS2322: not assignable\na.ts(2,9): error TS1005: ',' expected.";
    expect(described(reportedIn(output + others), marks)).toEqual([
      "a.ts:2 TS1005: ',' expected.",
      "a.ts:2 not assignable",
      "a.ts:3 TS2322: not assignable",
    ]);
  });
});
