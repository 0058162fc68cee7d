import { pointer } from "../pointer.js";
import { isRecord } from "../readiness/data.js";
import { annotations, applicators, assertions, replaced } from "./keywords.js";
import { NAMELESS, References } from "./references.js";
import { SchemaFault } from "./schema-fault.js";
import type { Members, SchemaNode } from "./schema-node.js";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** Far above any real schema; what is deeper or larger is a mistake, such as an object that contains itself. */
const MAX_DEPTH = 256;
const MAX_SCHEMAS = 20_000;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A tool's schemas, each with a known place. */
export interface ReadSchema {
  readonly root: SchemaNode;
  readonly references: References;
}

/**
 * Reads a draft 2020-12 schema and checks the form of every keyword. Keywords that the draft does not know say nothing.
 * @throws {SchemaFault} that names the place.
 */
export function readSchema(schema: unknown): ReadSchema {
  const references = new References();
  const root = new Reader(references).read(schema, { path: "", pointer: "", base: NAMELESS });
  return { root, references };
}

interface Place {
  readonly path: string;
  /** JSON Pointer from the resource in which the schema lies. */
  readonly pointer: string;
  /** That resource's URI. */
  readonly base: string;
}

class Reader {
  readonly #references: References;
  #count = 0;
  #depth = 0;

  constructor(references: References) {
    this.#references = references;
  }

  read(schema: unknown, place: Place): SchemaNode {
    this.#count += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH || this.#count > MAX_SCHEMAS) {
      throw new SchemaFault("", "is too deep or too large, or contains itself");
    }
    const node =
      typeof schema === "boolean" ? this.#leaf(schema, place) : this.#node(schema, place);
    this.#depth -= 1;
    return node;
  }

  #leaf(schema: boolean, { path, pointer, base }: Place): SchemaNode {
    const node = { schema, path, base, members: new Map() };
    this.#references.add(node, pointer);
    return node;
  }

  #node(schema: unknown, place: Place): SchemaNode {
    const { path } = place;
    if (!isRecord(schema))
      throw new SchemaFault(path, "must be a schema: an object, true or false");
    checkForms(schema, path);
    const { $id, $anchor, $dynamicAnchor } = schema;
    const isResource = $id !== undefined;
    const base = isResource ? this.#references.resource($id, place.base, path) : place.base;
    const at = isResource ? "" : place.pointer;
    const members = new Map<string, Members>();
    const node: SchemaNode = { schema, path, base, members };
    this.#references.add(node, at);
    this.#references.anchor(node, "$anchor", $anchor);
    this.#references.anchor(node, "$dynamicAnchor", $dynamicAnchor);
    for (const [keyword, { holds }] of Object.entries(applicators)) {
      const value = schema[keyword];
      if (value === undefined) continue;
      const inside = { path: pointer(path, keyword), pointer: pointer(at, keyword), base };
      members.set(keyword, this.#members(holds, keyword, value, inside));
    }
    return node;
  }

  #members(holds: Members["holds"], keyword: string, value: unknown, place: Place): Members {
    switch (holds) {
      case "schema":
        return { holds, node: this.read(value, place) };
      case "list":
        return { holds, nodes: this.#list(value, place) };
      case "map":
        return { holds, entries: this.#map(keyword, value, place) };
      default:
        return holds satisfies never;
    }
  }

  #list(value: unknown, place: Place): SchemaNode[] {
    if (!Array.isArray(value) || value.length === 0) {
      throw new SchemaFault(place.path, "must be a list of schemas");
    }
    return value.map((item, index) => this.read(item, below(place, index)));
  }

  #map(keyword: string, value: unknown, place: Place): [string, SchemaNode][] {
    if (!isRecord(value)) throw new SchemaFault(place.path, "must have a schema for each name");
    return Object.keys(value).map((key) => {
      const inside = below(place, key);
      if (LONE_SURROGATE.test(key)) throw new SchemaFault(inside.path, "is no Unicode text");
      if (keyword === "patternProperties") checkPattern(key, inside.path);
      return [key, this.read(value[key], inside)];
    });
  }
}

const below = ({ path, pointer: at, base }: Place, key: string | number): Place => ({
  path: pointer(path, key),
  pointer: pointer(at, key),
  base,
});

function checkForms(schema: Readonly<Record<string, unknown>>, path: string): void {
  for (const [keyword, [test, words]] of Object.entries({ ...assertions, ...annotations })) {
    const value = schema[keyword];
    if (value !== undefined && !test(value)) throw new SchemaFault(pointer(path, keyword), words);
  }
  for (const [keyword, instead] of Object.entries(replaced)) {
    if (schema[keyword] === undefined) continue;
    throw new SchemaFault(pointer(path, keyword), `is of an earlier draft: use ${instead}`);
  }
  const { $schema, pattern } = schema;
  if ($schema !== undefined && $schema !== DIALECT && $schema !== `${DIALECT}#`) {
    throw new SchemaFault(pointer(path, "$schema"), `must be "${DIALECT}"`);
  }
  if (typeof pattern === "string") checkPattern(pattern, pointer(path, "pattern"));
}

function checkPattern(pattern: string, path: string): void {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    throw new SchemaFault(path, `does not compile: ${error}`);
  }
}
