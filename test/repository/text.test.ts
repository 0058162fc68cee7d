import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { quotedCommands, unknownCommands } from "./readme.js";

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

function scripts(): Record<string, string> {
  return JSON.parse(read("package.json")).scripts;
}

describe("the lock file", () => {
  test.each(["package-lock.json", "e2e/bundlers/package-lock.json"])(
    "names no registry, so that it works with each user's own: %s",
    (lock) => {
      const { packages } = JSON.parse(read(lock));
      const resolved = Object.entries<{ resolved?: string; link?: boolean }>(packages)
        // A link leads to a folder of the repository.
        .filter(([, entry]) => entry.resolved !== undefined && !entry.link)
        .map(([name]) => name);
      expect(resolved).toEqual([]);
      expect(read(lock)).not.toMatch(/registry\./);
    },
  );

  test("is the one of this package", () => {
    const { packages } = JSON.parse(read("package-lock.json"));
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    expect(packages[""]).toMatchObject({ dependencies, devDependencies });
  });
});

describe("the apps of the bundlers", () => {
  test("get what the library depends on in the versions that it was tested with", () => {
    const { dependencies } = JSON.parse(read("package.json"));
    expect(JSON.parse(read("e2e/bundlers/package.json")).dependencies).toMatchObject(dependencies);
  });
});

describe("the README", () => {
  test("shows how to start the demo and how to test", () => {
    expect(quotedCommands(read("README.md"))).toEqual(
      expect.arrayContaining(["npm start", "npm test"]),
    );
  });

  test("quotes only commands that exist", () => {
    expect(unknownCommands(quotedCommands(read("README.md")), scripts())).toEqual([]);
  });

  test("shows the command that CI runs", () => {
    const [command] = /\bnpm [\w ]*\w/.exec(read(".ci/run")) ?? [];
    expect(quotedCommands(read("README.md"))).toContain(command);
  });
});

describe("the check of quoted commands", () => {
  test("reads blocks and spans of code, and not the prose around them", () => {
    const markdown = `
Use npm nonsense, or rather \`npm test\`:

\`\`\`sh
git clone … && npm run check -- units
npm start
\`\`\`

Then \`npm install signett\`.`;
    expect(quotedCommands(markdown)).toEqual([
      "npm test",
      "npm run check",
      "npm start",
      "npm install",
    ]);
  });

  test("finds the ones that neither npm nor package.json know", () => {
    const commands = [
      "npm test",
      "npm start",
      "npm run check",
      "npm run gone",
      "npm install",
      "npm check",
    ];
    expect(unknownCommands(commands, { test: "", check: "" })).toEqual([
      "npm start",
      "npm run gone",
      "npm check",
    ]);
  });
});
