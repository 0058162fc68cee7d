import { jsonCopy } from "../output.js";
import { pointer } from "../pointer.js";
import {
  chooseConditions,
  closeEmptyPrefix,
  limitUnique,
  nameProto,
  setFieldsApart,
} from "./agreements.js";
import { allNodes, checkEnds } from "./endless.js";
import { applicators, assertions } from "./keywords.js";
import { type ReadSchema, readSchema } from "./read-schema.js";
import { SchemaFault } from "./schema-fault.js";
import type { Members, SchemaNode } from "./schema-node.js";

/**
 * A schema as validators get it: plain data, only the draft's assertions and applicators, and references of the form
 * `#` and `#/$defs/‹name›` only.
 */
export type PreparedSchema = Readonly<Record<string, unknown>>;

/** `false` under these is a fault of the value that has too much; elsewhere, of the value itself. */
export const CLOSING: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "unevaluatedItems",
]);

/** References in `propertyNames` are written out, each time. */
const MAX_SCHEMAS = 20_000;

/**
 * Checks a tool's schema and rewrites it so that every validator reads the same: what they are known to read differently
 * is written in a way in which they agree, or refused.
 * @throws {SchemaFault} that names the place.
 */
export function prepareSchema(schema: unknown): PreparedSchema {
  const read = readSchema(schema);
  checkEnds(read);
  checkContains(read.root);
  return new Writer(read).write();
}

/** Whether an item that `contains` accepted is evaluated is read differently. */
function checkContains(root: SchemaNode): void {
  const nodes = allNodes(root);
  const containing = nodes.find(({ members }) => members.has("contains"));
  if (!containing || !nodes.some(({ members }) => members.has("unevaluatedItems"))) return;
  const path = pointer(containing.path, "contains");
  throw new SchemaFault(path, "can't be used in one schema with `unevaluatedItems`");
}

class Writer {
  readonly #read: ReadSchema;
  /** The names of the schemas that are referred to. */
  readonly #names = new Map<SchemaNode, string>();
  #written = 0;
  /** Some schema asks what others have evaluated. */
  readonly #telling: boolean;

  constructor(read: ReadSchema) {
    this.#read = read;
    this.#telling = allNodes(read.root).some(({ members }) =>
      ["unevaluatedProperties", "unevaluatedItems"].some((keyword) => members.has(keyword)),
    );
  }

  write(): PreparedSchema {
    const root = this.#schema(this.#read.root);
    const definitions: [string, unknown][] = [];
    // Grows while it is read: what is referred to refers to more.
    for (const [node, name] of this.#names) definitions.push([name, this.#schema(node)]);
    return definitions.length === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
  }

  /** @param ofName The schema judges a field's name: a text, with no part that could be judged by a schema below. */
  #schema(node: SchemaNode, ofName = false): PreparedSchema {
    this.#written += 1;
    if (this.#written > MAX_SCHEMAS) throw new SchemaFault(node.path, "is referred to too often");
    const { schema, members } = node;
    if (typeof schema === "boolean") return schema ? {} : { not: {} };
    const written: Record<string, unknown> = {};
    for (const keyword of Object.keys(assertions)) {
      if (schema[keyword] !== undefined) written[keyword] = jsonCopy(schema[keyword]);
    }
    for (const [keyword, held] of members) {
      if (applicators[keyword]?.definitions || (ofName && !applicators[keyword]?.inPlace)) continue;
      written[keyword] = this.#members(keyword, held, ofName || keyword === "propertyNames");
    }
    nameProto(written);
    closeEmptyPrefix(written);
    const beside = [
      ...limitUnique(written),
      ...setFieldsApart(written),
      ...(this.#telling ? chooseConditions(written) : []),
      ...this.#references(node, ofName),
    ];
    if (beside.length === 0) return written;
    const all = Array.isArray(written.allOf) ? written.allOf : [];
    return { ...written, allOf: [...all, ...beside] };
  }

  #references(node: SchemaNode, ofName: boolean): object[] {
    return (["$ref", "$dynamicRef"] as const).flatMap((keyword) => {
      const target = this.#read.references.follow(node, keyword);
      if (!target) return [];
      // Ajv's code for what is referred to does not know that it judges a name, and whose.
      return [ofName ? this.#schema(target, ofName) : { $ref: this.#nameOf(target) }];
    });
  }

  #nameOf(target: SchemaNode): string {
    if (target === this.#read.root) return "#";
    const name = this.#names.get(target) ?? `s${this.#names.size}`;
    this.#names.set(target, name);
    return `#/$defs/${name}`;
  }

  #members(keyword: string, held: Members, ofName: boolean): unknown {
    const written = (node: SchemaNode) => this.#schema(node, ofName);
    switch (held.holds) {
      case "schema":
        return held.node.schema === false && CLOSING.has(keyword) ? false : written(held.node);
      case "list":
        return held.nodes.map(written);
      case "map":
        return Object.fromEntries(held.entries.map(([name, node]) => [name, written(node)]));
      default:
        return held satisfies never;
    }
  }
}
