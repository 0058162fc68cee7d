import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { samplesOf } from "../support/samples.js";

const samples = samplesOf("docs/testing.md");

/** Where the page's samples run as tests. */
const folders = ["test/docs/testing", "e2e/docs"];

test("every recipe of the testing page is a test that runs, word for word", () => {
  for (const { name, code } of samples) expect(code, name).toBe(readFileSync(name, "utf8"));
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`));
  expect(samples.map(({ name }) => name).sort()).toEqual(files.sort());
});

test("the page has a recipe for each item of the list", () => {
  const page = readFileSync("docs/testing.md", "utf8");
  for (const item of [
    "Denial",
    "Equal keys at once",
    "Replay",
    "Ambiguous recovery",
    "Verification",
    "Cancellation",
    "Cleanup",
  ]) {
    expect(page).toMatch(new RegExp(`^\\*\\*${item}\\*\\*: .*\n(.*\n)?\n\`\`\`ts sample=`, "m"));
  }
});
