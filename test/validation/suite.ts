import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dereference, type Schema } from "@cfworker/json-schema";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { compileWithAjv, createAjv } from "../../src/validation/ajv.js";
import { checkOf } from "../../src/validation/compiled.js";
import { interpret, interpretPrepared } from "../../src/validation/interpreted.js";
import { moduleOf } from "../../src/validation/precompile.js";
import { SchemaFault } from "../../src/validation/schema-fault.js";
import type { InputCheck } from "../../src/validation/validator.js";
import { precompiled, runPrecompiled } from "./precompiled.js";

/** The JSON Schema Test Suite, which continuous integration has beside the checkout. */
export const SUITE = join("..", "shared", "json-schema-test-suite");
const TESTS = join(SUITE, "tests", "draft2020-12");
const REMOTES = join(SUITE, "remotes");
const METASCHEMAS = join("node_modules", "ajv", "dist", "refs", "json-schema-2020-12");

interface Group {
  readonly description: string;
  readonly schema: object;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** What became of the suite's cases. */
export interface Tally {
  passed: number;
  /** Cases whose schemas refer to other documents, which a tool's may not: the engine itself was given them. */
  readonly remote: { passed: number; readonly failed: string[] };
  readonly failed: string[];
  /** How many cases have a schema that `expose` refuses, by the group of the case. */
  readonly refused: Map<string, number>;
}

/** One validator: as the product compiles, and its engine alone, which is given documents by its own means. */
interface Contestant {
  readonly compile: (schema: object) => InputCheck;
  readonly compileRemote: (schema: object) => InputCheck;
}

export const contestants: Readonly<Record<string, Contestant>> = {
  Ajv: {
    compile: compileWithAjv,
    compileRemote: (schema) => checkOf(withDocuments(createAjv()).compile(schema)),
  },
  precompiled: {
    compile: precompiled,
    compileRemote(schema) {
      const ajv = withDocuments(createAjv({ source: true, esm: true }));
      return runPrecompiled(moduleOf(ajv, ajv.compile(schema)));
    },
  },
  interpreter: {
    compile: interpret,
    compileRemote(schema) {
      const known: Record<string, Schema | boolean> = {};
      // As its `Validator.addSchema` does.
      for (const [$id, document] of documents()) dereference({ ...document, $id }, known);
      return interpretPrepared(structuredClone(schema) as Record<string, unknown>, known);
    },
  },
};

function withDocuments(ajv: Ajv2020): Ajv2020 {
  for (const [uri, document] of documents()) ajv.addSchema(document, uri);
  return ajv;
}

/** The suite's remote documents and the draft's own schemas, fresh ones: engines write into them. */
function documents(): readonly (readonly [uri: string, document: object])[] {
  const remotes = filesIn(REMOTES).map(
    (name) => [`http://localhost:1234/${name}`, readJson<object>(join(REMOTES, name))] as const,
  );
  const metaschemas = filesIn(METASCHEMAS).map((name) => {
    const document = readJson<{ $id: string }>(join(METASCHEMAS, name));
    return [document.$id, document] as const;
  });
  return [...remotes, ...metaschemas];
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8"));

export const hasSuite = (): boolean => existsSync(TESTS);

/** Runs every case. */
export function runSuite(contestant: Contestant): Tally {
  const tally: Tally = {
    passed: 0,
    remote: { passed: 0, failed: [] },
    failed: [],
    refused: new Map(),
  };
  for (const file of filesIn(TESTS).sort()) {
    for (const group of readJson<Group[]>(join(TESTS, file))) {
      runGroup(contestant, `${file.slice(0, -".json".length)}: ${group.description}`, group, tally);
    }
  }
  return tally;
}

function runGroup(contestant: Contestant, name: string, { schema, tests }: Group, tally: Tally) {
  try {
    const check = contestant.compile(schema);
    const failed = failedOf(check, tests);
    tally.passed += tests.length - failed.length;
    tally.failed.push(...failed.map((test) => `${name}: ${test}`));
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    if (!error.message.includes("inside of this one")) {
      tally.refused.set(name, tests.length);
      return;
    }
    const failed = failedOf((input) => contestant.compileRemote(schema)(input), tests);
    tally.remote.passed += tests.length - failed.length;
    tally.remote.failed.push(...failed.map((test) => `${name}: ${test}`));
  }
}

const failedOf = (check: InputCheck, tests: Group["tests"]): string[] =>
  tests
    .filter(({ data, valid }) => isAccepted(check, data) !== valid)
    .map(({ description }) => description);

/** An engine that can't compile the documents or does not end, as some can't, gives no verdict. */
function isAccepted(check: InputCheck, data: unknown): boolean | undefined {
  try {
    return check(data).length === 0;
  } catch {
    return undefined;
  }
}
