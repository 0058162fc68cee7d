import { transformWithOxc } from "vite";
import * as vitest from "vitest";
import * as signett from "../../../src/index.js";
import * as kit from "../../../src/testing/index.js";
import { samplesOf } from "../../support/samples.js";

const { describe, expect, test } = vitest;

const modules: Readonly<Record<string, object>> = { signett, "signett/testing": kit, vitest };
const samples = samplesOf("docs/testing-kit.md");

/** Runs a sample's text; the tests in it register themselves. */
async function run({ name, code }: (typeof samples)[number]): Promise<void> {
  const body = code.replaceAll(/^import (\{[^}]*\}) from ("[^"]*");$/gm, "const $1 = modules[$2];");
  const { code: script } = await transformWithOxc(body, `${name}.ts`);
  new Function("modules", script)(modules);
}

test("the page has the samples that are run here", () => {
  expect(samples.map(({ name }) => name)).toEqual([
    "harness",
    "profile",
    "crash",
    "locks",
    "checks",
    "lock-checks",
  ]);
});

for (const sample of samples) describe(`the sample "${sample.name}"`, () => run(sample));
