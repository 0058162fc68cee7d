import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRooms, roomNames, type SourceFile } from "./rooms.js";

const root = new URL("../../", import.meta.url);

function filesOf(room: string): SourceFile[] {
  return readdirSync(new URL(room, root), { encoding: "utf8", recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => posix.join(room, name.replaceAll("\\", "/")))
    .map((path) => ({ path, text: readFileSync(new URL(path, root), "utf8") }));
}

/** A small tree that keeps the rules, with some of its files replaced or added. */
function tree(changes: Readonly<Record<string, string>> = {}): SourceFile[] {
  const files = {
    "src/index.ts":
      'export type { Store } from "./contracts.js"; export * from "../client/index.js";',
    "src/contracts.ts": "export interface Store {}",
    "src/errors.ts": "export class SignettError extends Error {}",
    "src/validation/ajv.ts": 'import { Ajv2020 } from "ajv/dist/2020.js"; export { Ajv2020 };',
    "client/index.ts": 'export { connect } from "./connection.js";',
    "client/connection.ts":
      'import { wrap } from "comlink"; import type { Hello } from "../worker/protocol.js"; import { SignettError } from "../src/errors.js";',
    "worker/index.ts":
      'import { expose } from "comlink"; import { open } from "../stores/open.js";',
    "worker/protocol.ts": "export interface Hello {}",
    "worker/in-page.ts": "export const start = () => {};",
    "stores/open.ts":
      'import { openDB } from "idb"; import type { Store } from "../src/contracts.js";',
    ...changes,
  };
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

describe("this repository", () => {
  test.each(roomNames)("has files in %s/, so that the next test judges something", (room) => {
    expect(filesOf(room)).not.toEqual([]);
  });

  test("keeps its rooms apart and has no import cycle", () => {
    expect(checkRooms(roomNames.flatMap(filesOf))).toEqual([]);
  });
});

describe("the check of the rooms", () => {
  test("accepts a tree that keeps the rules", () => {
    expect(checkRooms(tree())).toEqual([]);
  });

  test.each([
    ["a room that may not be known", 'import { open } from "../stores/open.js";'],
    ["types only", 'import type { open } from "../stores/open.js";'],
    ["a type in the middle of an expression", 'type Open = import("../stores/open.js").open;'],
    ["on demand", 'const open = () => import("../stores/open.js");'],
    ["for its effect", 'import "../stores/open.js";'],
    ["to re-export it, outside an entry file", 'export { open } from "../stores/open.js";'],
  ])("refuses an import of %s", (_, text) => {
    expect(checkRooms(tree({ "client/connection.ts": text }))).toEqual([
      expect.stringMatching(
        /^client\/connection.ts imports stores\/open.ts, but client\/ may import only from client\/, /,
      ),
    ]);
  });

  test("lets the client load the coordinator of a page when it is needed, and not before", () => {
    const on = (text: string) => checkRooms(tree({ "client/connection.ts": text }));
    expect(on('const start = () => import("../worker/in-page.js");')).toEqual([]);
    expect(on('import { start } from "../worker/in-page.js";')).toHaveLength(1);
  });

  test("refuses a plain import across rooms in an entry file, which may only re-export", () => {
    const text = 'import { connect } from "../client/index.js"; connect();';
    expect(checkRooms(tree({ "src/index.ts": text }))).toEqual([
      "src/index.ts imports client/index.ts, but src/ may import only from src/.",
    ]);
  });

  test("refuses a file that only begins like one that is allowed", () => {
    const changes = {
      "worker/protocol.ts.ts": "export {};",
      "client/connection.ts": 'import "../worker/protocol.ts.js";',
    };
    expect(checkRooms(tree(changes))).toHaveLength(1);
  });

  test("refuses a path out of the rooms", () => {
    expect(checkRooms(tree({ "src/errors.ts": 'import "../demo/page/main.js";' }))).toEqual([
      'src/errors.ts imports "../demo/page/main.js", which is no source file of a room.',
    ]);
  });

  test("refuses a package that the room may not know", () => {
    expect(checkRooms(tree({ "stores/open.ts": 'import { wrap } from "comlink";' }))).toEqual([
      "stores/open.ts imports the package comlink, but stores/ may import only idb.",
    ]);
  });

  test("refuses a package in another folder of the room that may know it", () => {
    expect(checkRooms(tree({ "src/errors.ts": 'import "ajv";' }))).toEqual([
      "src/errors.ts imports the package ajv, which only src/validation/ may import.",
    ]);
  });

  test("names a scoped package and a built-in module in full", () => {
    const text = 'import "@scope/name/part"; import "node:fs";';
    expect(checkRooms(tree({ "stores/open.ts": text }))).toEqual([
      "stores/open.ts imports the package @scope/name, but stores/ may import only idb.",
      "stores/open.ts imports the package node:fs, but stores/ may import only idb.",
    ]);
  });

  test("finds a cycle of types", () => {
    const changes = {
      "src/contracts.ts": 'import type { A } from "./tool.js"; export interface Store {}',
      "src/tool.ts": 'import type { B } from "./errors.js"; export interface A {}',
      "src/errors.ts": 'import type { Store } from "./contracts.js"; export interface B {}',
    };
    expect(checkRooms(tree(changes))).toEqual([
      "Import cycle: src/contracts.ts → src/tool.ts → src/errors.ts → src/contracts.ts.",
    ]);
  });

  test("finds a cycle through the re-exports of an entry file", () => {
    const changes = { "client/connection.ts": 'import { connect } from "./index.js";' };
    expect(checkRooms(tree(changes))).toEqual([
      "Import cycle: client/index.ts → client/connection.ts → client/index.ts.",
    ]);
  });

  test("does not take words in comments and texts for imports", () => {
    const text = `
      // import { open } from "../stores/open.js";
      /* export * from "../stores/open.js"; */
      const text = 'import "../stores/open.js"'; const address = "https://example.org"; import "comlink";`;
    expect(checkRooms(tree({ "client/connection.ts": text }))).toEqual([]);
  });

  test("does not pass over a file that it cannot read", () => {
    expect(() => checkRooms(tree({ "src/errors.ts": "const = 1" }))).toThrow(
      "src/errors.ts does not parse",
    );
  });
});
