import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

/** The project of somebody who installed the package, and nothing beside what it depends on. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "signett-types-"));
  const target = join(project, "node_modules", "signett");
  mkdirSync(target, { recursive: true });
  cpSync("package.json", join(target, "package.json"));
  cpSync("dist", join(target, "dist"), { recursive: true });
  for (const name of Object.keys(manifest.dependencies)) linkPackage(name);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function linkPackage(name: string): void {
  const target = join(project, "node_modules", name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(resolve("node_modules", name), target, "junction");
}

/** Compiles a module as strictly as can be, without `skipLibCheck`, and gives the compiler's complaints. */
function complaints(code: string, lib: readonly string[], types: readonly string[] = []): string {
  const compilerOptions = {
    target: "ES2022",
    module: "NodeNext",
    lib,
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "main.ts"), code);
  const tsc = resolve("node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [tsc, "--project", project], { encoding: "utf8" }).stdout;
}

const specifiers = Object.keys(manifest.exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.replace(/^\./, "signett"));
/** The packages of the application's own that an entry's declarations are about, with what their types need. */
const applicationsOwn: Readonly<Record<string, readonly string[]>> = {
  "signett/react": ["@types/react", "csstype"],
  "signett/opentelemetry": ["@opentelemetry/api"],
  "signett/testing/playwright": [
    ...["@playwright/test", "playwright", "playwright-core"],
    ...["@types/node", "undici-types"],
  ],
};

describe("the declarations", () => {
  test.each([
    ["the oldest lib that is supported", ["ES2022", "DOM"]],
    ["a lib that has Symbol.dispose", ["ESNext", "DOM"]],
  ])("compile with nothing but the package's own dependencies, under %s", (_, lib) => {
    const alone = specifiers.filter((name) => !(name in applicationsOwn));
    expect(complaints(alone.map((name) => `import "${name}";`).join("\n"), lib)).toBe("");
  });

  test.each(specifiers.filter((name) => name in applicationsOwn))(
    "of %s compile where the packages are that it is about",
    (name) => {
      const links = applicationsOwn[name] ?? [];
      for (const link of links) linkPackage(link);
      const types = links.includes("@types/node") ? ["node"] : [];
      expect(complaints(`import "${name}";`, ["ES2022", "DOM"], types)).toBe("");
    },
  );

  test("have [Symbol.dispose] where `lib` has it, and claim no such symbol where it has not", () => {
    const using = `
      import { connectProfile } from "signett/client";
      using profile = connectProfile();
      profile satisfies Disposable;
      export {};`;
    expect(complaints(using, ["ESNext", "DOM"])).toBe("");
    expect(
      complaints(`import "signett"; export const symbol = Symbol.dispose;`, ["ES2022", "DOM"]),
    ).toContain("Property 'dispose' does not exist");
  });
});

describe("the maps of the declarations", () => {
  test("lead to sources that are in the package, so that an editor shows them", () => {
    const types = resolve("dist/types");
    const maps = readdirSync(types, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".d.ts.map"),
    );
    expect(maps.length).toBeGreaterThan(0);
    const packed = manifest.files.map((name: string) => `${resolve(name)}/`);
    for (const map of maps) {
      const file = join(types, map);
      const { sources } = JSON.parse(readFileSync(file, "utf8"));
      const source = resolve(dirname(file), sources[0]);
      expect([source, packed.some((folder: string) => source.startsWith(folder))]).toEqual([
        source,
        true,
      ]);
    }
  });
});
