import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { caseRows, titles } from "./cases.js";

const root = new URL("../../", import.meta.url);
const reports = new URL("../shared/cases/bug-reports.tsv", root);

const page = readFileSync(new URL("docs/cases.md", root), "utf8");
const [tested = "", untested = ""] = page.split("## Reports that can't apply");
const rows = caseRows(page);

describe("the page of public failures", () => {
  test("has a table of tests and a table of reasons, so that the next tests judge something", () => {
    expect(caseRows(tested).length).toBeGreaterThan(90);
    expect(caseRows(untested).length).toBeGreaterThan(0);
  });

  test("names each row once", () => {
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test.each(caseRows(tested))("$id, $report, is in the title of a test in $last", (row) => {
    const text = readFileSync(new URL(row.last, root), "utf8");
    expect(titles(row.last, text).join("\n")).toContain(`${row.id}, ${row.report}`);
  });

  // They lie beside the checkout where the project is developed; a plain clone does without.
  if (existsSync(fileURLToPath(reports)))
    test("has every report that was handed in", () => {
      const [, ...lines] = readFileSync(reports, "utf8").trimEnd().split("\n");
      const handedIn = lines.map((line) => line.split("\t")).map(([id, , report]) => [id, report]);
      expect(rows.map(({ id, report }) => [id, report]).sort()).toEqual(handedIn.sort());
    });
});

describe("the reading of titles", () => {
  test("takes tests and suites, with their parameters, and no other texts", () => {
    const text = `
      // it("a comment", () => {});
      const other = call("not a title", 1) + "it('a text')";
      test.describe("a suite", () => {
        it.each([["row", 1]])("a row of %s", () => {});
        test(\`one of \${other}\`, async () => {});
      });`;
    expect(titles("a.test.ts", text)).toEqual([
      '"a suite"',
      '"a row of %s"',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a title as it is written
      "`one of ${other}`",
    ]);
  });
});
