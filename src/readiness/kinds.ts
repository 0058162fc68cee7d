import { isBoundedPattern } from "./pattern.js";
import { NOTHING, type Place, type Schema } from "./place.js";

/** What has to be bounded. `elements` are those of an array that neither `items` nor `prefixItems` describes. */
export type Kind = "object" | "array" | "elements" | "string";

/** Every kind, in the order in which faults are reported. */
export const kinds: readonly Kind[] = ["object", "array", "elements", "string"];

const ARRAY_KEYWORDS = [
  "items",
  "prefixItems",
  "unevaluatedItems",
  "contains",
  "minItems",
  "maxItems",
  "uniqueItems",
] as const;

/** Keywords that say something about one type only: where no `type` is given, they tell what is meant. */
const keywords: Readonly<Record<Kind, readonly string[]>> = {
  object: [
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
  ],
  array: ARRAY_KEYWORDS,
  elements: ARRAY_KEYWORDS,
  string: ["minLength", "maxLength", "pattern", "format"],
};

const typeOf = (kind: Kind) => (kind === "elements" ? "array" : kind);

/** The schema's own `type`, if it has one, lets such a value through. */
export function admits({ schema: { type } }: Place, kind: Kind): boolean {
  if (type === undefined) return true;
  return Array.isArray(type) ? type.includes(typeOf(kind)) : type === typeOf(kind);
}

/** The schema itself says that such a value is meant. */
export function declares(place: Place, kind: Kind): boolean {
  if (place.schema.type !== undefined) return admits(place, kind);
  return keywords[kind].some((keyword) => place.schema[keyword] !== undefined);
}

/**
 * Schemas that hold together let such a value through. Without any `type` everything gets through, and is judged as an
 * object; text and arrays are judged only where a keyword shows that they are meant.
 */
export function concerns(group: readonly Place[], kind: Kind): boolean {
  if (group.length === 0 || !group.every((place) => admits(place, kind))) return false;
  return kind === "object" ? true : group.some((place) => declares(place, kind));
}

/** No schema of the group says anything about the type: only its alternatives do. */
export function isSilent(group: readonly Place[], kind: Kind): boolean {
  return group.every((place) => place.schema.type === undefined && !declares(place, kind));
}

/** Schemas that hold together bound such values: one that does is enough. */
export function bounds(group: readonly Place[], kind: Kind): boolean {
  switch (kind) {
    case "object":
      return isClosed(group);
    case "array":
      return isCounted(group);
    case "elements":
      return some(group, areElementsDescribed) || isWithinPrefix(group);
    case "string":
      return some(group, isShort);
    default:
      return kind satisfies never;
  }
}

const isLimit = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const some = (group: readonly Place[], test: (schema: Schema) => boolean) =>
  group.some(({ schema }) => test(schema));

/** `unevaluatedProperties` closes nothing beside an `additionalProperties` that takes every field. */
const isClosed = (group: readonly Place[]) =>
  some(group, ({ additionalProperties }) => additionalProperties === false) ||
  (some(group, ({ unevaluatedProperties }) => unevaluatedProperties === false) &&
    !some(group, ({ additionalProperties }) => additionalProperties !== undefined));

/** `unevaluatedItems` closes nothing beside an `items` or a `contains` that can take every item. */
const isCounted = (group: readonly Place[]) =>
  some(group, ({ maxItems, items }) => isLimit(maxItems) || items === false) ||
  (some(group, ({ unevaluatedItems }) => unevaluatedItems === false) &&
    !some(group, ({ items, contains }) => items !== undefined || contains !== undefined));

const areElementsDescribed = ({ items, unevaluatedItems }: Schema) =>
  items !== undefined || unevaluatedItems !== undefined;

function isWithinPrefix(group: readonly Place[]): boolean {
  let limit = Number.POSITIVE_INFINITY;
  let prefix = 0;
  for (const { schema } of group) {
    const { maxItems, prefixItems } = schema;
    if (isLimit(maxItems)) limit = Math.min(limit, maxItems);
    if (Array.isArray(prefixItems)) prefix = Math.max(prefix, prefixItems.length);
  }
  return limit <= prefix;
}

const isShort = ({ maxLength, pattern }: Schema) =>
  isLimit(maxLength) || (typeof pattern === "string" && isBoundedPattern(pattern));

/** The values themselves are listed, so that nothing is left to bound. */
export const isFixed = ({ schema }: Place): boolean =>
  "const" in schema || Array.isArray(schema.enum);

/** No value gets through. */
export const isImpossible = ({ schema }: Place): boolean => schema === NOTHING;

/** The schema tells an agent in words what is meant. */
export const isDescribed = ({ schema: { description } }: Place): boolean =>
  typeof description === "string" && description.trim() !== "";
