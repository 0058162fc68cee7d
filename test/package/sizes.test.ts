import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import budgets from "../../.size-limit.mjs";

const lines = readFileSync("README.md", "utf8").split("\n");

test.each(budgets)("the README says what a page pays at most for $name", ({ name, limit }) => {
  expect(lines).toContain(`| \`${name}\` | ${limit} |`);
});
