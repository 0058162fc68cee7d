import { isRecord } from "../readiness/data.js";
import { applicators } from "./keywords.js";
import type { PreparedSchema } from "./prepare.js";
import { SchemaFault } from "./schema-fault.js";

const UNEVALUATED: readonly string[] = ["unevaluatedProperties", "unevaluatedItems"];

/**
 * Refuses what the interpreter gets wrong: an `unevaluated…` in a schema that holds beside others, inside of one, because it is
 * told what those others have evaluated; and one with a schema, which it applies also to what was described and refused.
 * @throws {SchemaFault} that names the keyword.
 */
export function checkUnevaluated(schema: PreparedSchema): void {
  new Check(schema).visit(schema, false);
}

class Check {
  readonly #root: PreparedSchema;
  readonly #seen = { alone: new Set<object>(), told: new Set<object>() };

  constructor(root: PreparedSchema) {
    this.#root = root;
  }

  /** @param told The schema learns what others have evaluated. */
  visit(schema: unknown, told: boolean): void {
    if (!isRecord(schema)) return;
    const seen = told ? this.#seen.told : this.#seen.alone;
    if (seen.has(schema)) return;
    seen.add(schema);
    const fault = UNEVALUATED.find(
      (keyword) => (told || isDemanding(keyword, schema[keyword])) && schema[keyword] !== undefined,
    );
    if (fault) throw new SchemaFault("", `has \`${fault}\` in a way that needs Ajv: precompile it`);
    const inPlace = Object.keys(schema).filter(isInPlace);
    for (const keyword of Object.keys(schema)) {
      // The schemas that one field brings are told of those that another brings.
      const tells = told || keyword === "dependentSchemas" || inPlace.length > 1;
      for (const below of this.#below(schema, keyword)) {
        this.visit(below, tells && isInPlace(keyword));
      }
    }
  }

  #below(schema: PreparedSchema, keyword: string): readonly unknown[] {
    const held = schema[keyword];
    if (keyword === "$ref") return [held === "#" ? this.#root : this.#definition(String(held))];
    if (applicators[keyword] === undefined) return [];
    return applicators[keyword].holds === "schema" ? [held] : Object.values(Object(held));
  }

  #definition(reference: string): unknown {
    return Reflect.get(Object(this.#root.$defs), reference.slice("#/$defs/".length));
  }
}

/** It says more of fields than whether they may be there. */
const isDemanding = (keyword: string, value: unknown) =>
  keyword === "unevaluatedProperties" && isRecord(value) && Object.keys(value).length > 0;

const isInPlace = (keyword: string) =>
  keyword === "$ref" || (applicators[keyword]?.inPlace === true && keyword !== "not");
