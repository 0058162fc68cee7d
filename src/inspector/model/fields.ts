import { pointer } from "../../pointer.js";
import { isRecord } from "../../readiness/data.js";

/** What an argument's control is called and explained by. */
interface FieldBase {
  /** JSON Pointer into the input. */
  readonly path: string;
  /** The property's name; empty for the input itself and for items. */
  readonly name: string;
  readonly description: string | undefined;
  readonly required: boolean;
}

/** A control for one place of a tool's input. */
export type Field = FieldBase &
  (
    | { readonly kind: "text"; readonly initial: string; readonly long: boolean }
    | { readonly kind: "number"; readonly initial: string; readonly integer: boolean }
    | { readonly kind: "choice"; readonly initial: string; readonly values: readonly unknown[] }
    | { readonly kind: "object"; readonly fields: readonly Field[] }
    /** Items are made on demand, because a schema may be recursive. */
    | { readonly kind: "list"; readonly item: (index: number) => Field }
    /** What no control can express: written as JSON. */
    | { readonly kind: "json"; readonly initial: string }
  );

type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
/** A text that may be longer than this gets several lines. */
const LONG_TEXT = 200;

/** The form of a tool's input. What a schema says beyond types, names and choices is left to validation. */
export function formOf(inputSchema: object): Field {
  return fieldOf(inputSchema, { path: "", name: "", required: true, root: inputSchema, depth: 0 });
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly required: boolean;
  readonly root: unknown;
  readonly depth: number;
}

function fieldOf(given: unknown, place: Place): Field {
  const schema = resolved(given, place.root);
  const { path, name, required } = place;
  const description = textOf(schema.description) ?? textOf(schema.title);
  const base = { path, name, required, description };
  const initial = schema.default;
  const values = choicesOf(schema);
  if (values) return { ...base, kind: "choice", values, initial: json(initial) };
  switch (combined(schema) || place.depth > MAX_DEPTH ? undefined : typeOf(schema)) {
    case "string": {
      const long = typeof schema.maxLength === "number" && schema.maxLength > LONG_TEXT;
      return { ...base, kind: "text", initial: textOf(initial) ?? "", long };
    }
    case "integer":
    case "number":
      return {
        ...base,
        kind: "number",
        initial: json(initial),
        integer: schema.type === "integer",
      };
    case "object":
      if (!isRecord(schema.properties)) break;
      return { ...base, kind: "object", fields: fieldsOf(schema, schema.properties, place) };
    case "array":
      if (!isRecord(schema.items)) break;
      return { ...base, kind: "list", item: (index) => itemOf(schema.items, index, place) };
    default:
  }
  return { ...base, kind: "json", initial: json(initial) };
}

function fieldsOf(schema: Schema, properties: Schema, place: Place): readonly Field[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(property, {
      ...place,
      ...{ name, path: pointer(place.path, name), required: required.includes(name) },
      depth: place.depth + 1,
    }),
  );
}

function itemOf(items: unknown, index: number, place: Place): Field {
  const path = pointer(place.path, index);
  return fieldOf(items, { ...place, path, name: "", required: true, depth: place.depth + 1 });
}

/** Follows references inside of the schema; a chain that does not end is left to JSON. */
function resolved(given: unknown, root: unknown): Schema {
  let schema = given;
  for (let steps = 0; steps < MAX_DEPTH; steps++) {
    if (!isRecord(schema)) return {};
    if (typeof schema.$ref !== "string") return schema;
    const { $ref, ...beside } = schema;
    const target = $ref.startsWith("#") ? at(root, $ref.slice(1)) : undefined;
    if (!isRecord(target)) return {};
    schema = { ...target, ...beside };
  }
  return {};
}

function at(root: unknown, reference: string): unknown {
  if (reference === "") return root;
  if (!reference.startsWith("/")) return undefined;
  let value = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema) return [schema.const];
  if (schema.type === "boolean") return [true, false];
  return schema.type === "null" ? [null] : undefined;
}

/** A schema that combines others has no one shape to make a control of. */
const combined = (schema: Schema) =>
  ["anyOf", "oneOf", "allOf", "not", "if"].some((keyword) => keyword in schema);

function typeOf(schema: Schema): unknown {
  if (schema.type !== undefined) return schema.type;
  return isRecord(schema.properties) ? "object" : undefined;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
/** A default as its control holds it; empty without one. */
const json = (value: unknown) => (value === undefined ? "" : (JSON.stringify(value) ?? ""));
