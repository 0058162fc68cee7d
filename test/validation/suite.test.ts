import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contestants, hasSuite, runSuite, SUITE, type Tally } from "./suite.js";

const documented = readFileSync("docs/validation.md", "utf8").split("\n");

/** A row of the document's table of counts. */
const counts = (name: string, { passed, failed, remote, refused }: Tally) =>
  `| ${[name, passed, failed.length, remote.passed, remote.failed.length, refusedCases(refused)].join(" | ")} |`;

const cell = ({ remote }: Tally, name: string) => (remote.failed.includes(name) ? " fails " : " ");

const refusedCases = (refused: Tally["refused"]) =>
  [...refused.values()].reduce((sum, cases) => sum + cases, 0);

test("the JSON Schema Test Suite ends as docs/validation.md says, in numbers and case by case", () => {
  if (!hasSuite() && !process.env.CI) {
    console.warn(`The JSON Schema Test Suite did not run: it is not at ${SUITE}.`);
    return;
  }
  const tallies = Object.entries(contestants).map(
    ([name, contestant]) => [name, runSuite(contestant)] as const,
  );
  const { Ajv: ajv, precompiled, interpreter } = Object.fromEntries(tallies);
  if (!ajv || !precompiled || !interpreter) throw new Error("A validator is missing.");
  expect(documented).toEqual(
    expect.arrayContaining(tallies.map(([name, tally]) => counts(name, tally))),
  );
  expect(precompiled).toEqual(ajv);

  const failed = new Set([...ajv.remote.failed, ...interpreter.remote.failed]);
  const rows = [...failed].map(
    (name) => `| ${name} |${cell(ajv, name)}|${cell(interpreter, name)}|`,
  );
  expect(documented.filter((line) => / fails \|/.test(line)).sort()).toEqual(rows.sort());

  const refused = [...interpreter.refused].filter(([name]) => !ajv.refused.has(name));
  const items = refused.map(([name, cases]) => `- ${name} (${cases})`);
  expect(documented.filter((line) => /^- .* \(\d+\)$/.test(line)).sort()).toEqual(items.sort());
}, 60_000);
