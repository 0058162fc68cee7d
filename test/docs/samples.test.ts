import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPLICATION, samplesOf } from "../support/samples.js";

/** Inside of the package, so that a sample's `import "signett"` finds the build as a user's does. */
const folder = join("node_modules", ".signett-samples");

const samples = ["README.md", "docs/privacy.md", "docs/inspector.md"].flatMap(samplesOf);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of samples) {
    writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  }
  writeFileSync(join(folder, "application.d.ts"), APPLICATION);
  const compilerOptions = {
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "bundler",
    lib: ["ES2023", "DOM"],
    types: [],
    strict: true,
    noEmit: true,
    paths: {
      signett: ["../../dist/index.d.ts"],
      "signett/*": ["../../dist/*.d.ts"],
    },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the samples of README and pages of docs/", () => {
  test("are found", () => {
    expect(samples.map(({ name }) => name)).toEqual([
      "cancel-order",
      "own-worker",
      "encrypted-profile",
      "inspector",
    ]);
  });

  test("compile in a strict project, without types from anywhere but the package", () => {
    const tsc = join("node_modules", "typescript", "bin", "tsc");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "--project", folder], {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});
