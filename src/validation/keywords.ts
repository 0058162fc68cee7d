import { isRecord } from "../readiness/data.js";

/** A keyword that holds schemas. */
interface Applicator {
  /** One schema, a list of them, or a map with any names. */
  readonly holds: "schema" | "list" | "map";
  /** Its schemas judge the same value as the schema that holds them, and not a part of it. */
  readonly inPlace?: true;
  /** Its schemas only serve as targets of references. */
  readonly definitions?: true;
}

/** The applicators of draft 2020-12, and `definitions`, its old name for `$defs`. */
export const applicators: Readonly<Record<string, Applicator>> = {
  $defs: { holds: "map", definitions: true },
  definitions: { holds: "map", definitions: true },
  allOf: { holds: "list", inPlace: true },
  anyOf: { holds: "list", inPlace: true },
  oneOf: { holds: "list", inPlace: true },
  not: { holds: "schema", inPlace: true },
  if: { holds: "schema", inPlace: true },
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
  then: { holds: "schema", inPlace: true },
  else: { holds: "schema", inPlace: true },
  dependentSchemas: { holds: "map", inPlace: true },
  properties: { holds: "map" },
  patternProperties: { holds: "map" },
  additionalProperties: { holds: "schema" },
  unevaluatedProperties: { holds: "schema" },
  propertyNames: { holds: "schema" },
  prefixItems: { holds: "list" },
  items: { holds: "schema" },
  unevaluatedItems: { holds: "schema" },
  contains: { holds: "schema" },
};

/** What a keyword's value must be: a test, and the words for it. */
type Shape = readonly [test: (value: unknown) => boolean, words: string];

const TYPES: readonly unknown[] = [
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
];
const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => Number.isFinite(value);
const isUnique = (list: readonly unknown[]) => new Set(list).size === list.length;
/** Ajv does not miss a field whose name is empty. */
const areNames = (value: unknown) =>
  Array.isArray(value) && value.every((name) => isText(name) && name !== "") && isUnique(value);

const COUNT: Shape = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  "must be a whole number from 0",
];
const NUMBER: Shape = [isNumber, "must be a number"];
const TEXT: Shape = [isText, "must be a text"];
const FLAG: Shape = [(value) => typeof value === "boolean", "must be true or false"];
const LIST: Shape = [Array.isArray, "must be a list"];

/** Keywords that judge a value without further schemas. They are all that validators are given beside applicators. */
export const assertions: Readonly<Record<string, Shape>> = {
  type: [
    (value) =>
      TYPES.includes(value) ||
      (Array.isArray(value) &&
        value.length > 0 &&
        value.every((type) => TYPES.includes(type)) &&
        isUnique(value)),
    "must be a JSON Schema type or a list of different ones",
  ],
  const: [() => true, ""],
  enum: LIST,
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "must be a number above 0"],
  maximum: NUMBER,
  minimum: NUMBER,
  exclusiveMaximum: NUMBER,
  exclusiveMinimum: NUMBER,
  maxLength: COUNT,
  minLength: COUNT,
  pattern: TEXT,
  maxItems: COUNT,
  minItems: COUNT,
  uniqueItems: FLAG,
  maxContains: COUNT,
  minContains: COUNT,
  maxProperties: COUNT,
  minProperties: COUNT,
  required: [areNames, "must be a list of different names, none of them empty"],
  dependentRequired: [
    (value) => isRecord(value) && Object.values(value).every(areNames),
    "must have a list of different names for each field, none of them empty",
  ],
};

/** Keywords that judge nothing here: annotations, and what says where schemas are. */
export const annotations: Readonly<Record<string, Shape>> = {
  $comment: TEXT,
  $ref: TEXT,
  $dynamicRef: TEXT,
  title: TEXT,
  description: TEXT,
  format: TEXT,
  contentEncoding: TEXT,
  contentMediaType: TEXT,
  deprecated: FLAG,
  readOnly: FLAG,
  writeOnly: FLAG,
  examples: LIST,
};

/** Keywords of earlier drafts that would pass without a word, though they were written to refuse something. */
export const replaced: Readonly<Record<string, string>> = {
  dependencies: "`dependentRequired` or `dependentSchemas`",
  additionalItems: "`items` beside `prefixItems`",
  $recursiveRef: "`$ref` or `$dynamicRef`",
};
