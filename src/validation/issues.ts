import type { ValidationIssue } from "../errors.js";
import { MAX_QUOTE } from "../signett-error.js";
import { bounded } from "../text.js";

/** More issues than this help nobody, and hostile input can have any number. */
const MAX_ISSUES = 100;

/** One fault as a validator found it. */
export interface Fault {
  /** JSON Pointer into the input; that of a missing or unexpected field ends in its name. */
  readonly path: string;
  readonly keyword: string;
  /** What the schema says under the keyword, as far as the message needs it. */
  readonly wanted?: unknown;
}

/** How many items of an array must match. */
export interface Containing {
  readonly min: unknown;
  readonly max: unknown;
}

const quoted = (value: unknown) => bounded(JSON.stringify(value), MAX_QUOTE);
const counted = (most: string, unit: string) => (wanted: unknown) =>
  `must have ${most} ${wanted} ${unit}`;

/** The messages of all validators, so that they do not depend on which one is used. They quote the schema, never the input. */
const messages: Readonly<Record<string, (wanted: unknown) => string>> = {
  type: (wanted) => `must be ${[wanted].flat().join(" or ")}`,
  const: (wanted) => `must be ${quoted(wanted)}`,
  enum: (wanted) => `must be one of ${quoted(wanted)}`,
  minimum: (wanted) => `must be at least ${wanted}`,
  maximum: (wanted) => `must be at most ${wanted}`,
  exclusiveMinimum: (wanted) => `must be more than ${wanted}`,
  exclusiveMaximum: (wanted) => `must be less than ${wanted}`,
  multipleOf: (wanted) => `must be a multiple of ${wanted}`,
  minLength: counted("at least", "characters"),
  maxLength: counted("at most", "characters"),
  pattern: (wanted) => `must match the pattern ${bounded(String(wanted), MAX_QUOTE)}`,
  minItems: counted("at least", "items"),
  maxItems: counted("at most", "items"),
  uniqueItems: () => "must not have two equal items",
  contains: (wanted) => containing(wanted as Containing),
  minProperties: counted("at least", "fields"),
  maxProperties: counted("at most", "fields"),
  required: () => "is required",
  dependentRequired: (wanted) => `is required beside ${quoted(wanted)}`,
  additionalProperties: () => "is not allowed",
  unevaluatedProperties: () => "is not allowed",
  items: () => "must not have more items than are described",
  unevaluatedItems: () => "must not have more items than are described",
  not: () => "is not allowed",
  oneOf: () => "must match only one of the alternatives",
  faults: () => "has too many faults to be listed",
};

function containing({ min, max }: Containing): string {
  const most = max === undefined ? "" : ` and at most ${max}`;
  return `must have at least ${min}${most} of the items that are wanted`;
}

/** The issues of an invalid input, in an order that every validator gives: what is missing, then from the outside in. */
export function issuesOf(faults: readonly Fault[]): readonly ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>();
  for (const { path, keyword, wanted } of withoutRefused(faults)) {
    const message = messages[keyword]?.(wanted) ?? "is not valid";
    issues.set(`${path}\n${keyword}\n${message}`, { path, keyword, message });
  }
  return [...issues]
    .map(([key, issue]) => ({ key, issue, rank: rankOf(issue) }))
    .sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_ISSUES)
    .map(({ issue }) => issue);
}

/** A field that a schema describes and refuses is not one that nobody described, though validators may say both. */
function withoutRefused(faults: readonly Fault[]): readonly Fault[] {
  const isUnevaluated = ({ keyword }: Fault) => keyword === "unevaluatedProperties";
  if (!faults.some(isUnevaluated)) return faults;
  const refused = new Set<string>();
  for (const fault of faults) {
    let { path } = fault;
    while (!isUnevaluated(fault) && !refused.has(path)) {
      refused.add(path);
      path = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    }
  }
  return faults.filter((fault) => !isUnevaluated(fault) || !refused.has(fault.path));
}

/** What is missing comes first in the message, so it must not be what is cut off. */
function rankOf({ path, keyword }: ValidationIssue): number {
  const depth = path.split("/").length;
  return keyword === "required" ? depth : 1_000 + depth;
}
