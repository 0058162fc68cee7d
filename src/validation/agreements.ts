import { isRecord } from "../readiness/data.js";

// What validators read differently, written so that they agree. Each takes a schema that is being written; what it gives has to
// hold beside it.

/** A schema under construction. */
type Draft = Record<string, unknown>;

/** `items: false` is a fault of the array also where no item is described. */
export function closeEmptyPrefix(written: Draft): void {
  if (written.items === false) written.prefixItems ??= [];
}

/** Validators compare items pair by pair, so that more than these would take too long. */
const MAX_UNIQUE_ITEMS = 2_000;

/** Arrays whose items must differ can have so many. */
export function limitUnique(written: Draft): object[] {
  if (written.uniqueItems !== true) return [];
  delete written.uniqueItems;
  const limit = { maxItems: MAX_UNIQUE_ITEMS };
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
  return [{ if: limit, then: { uniqueItems: true }, else: limit }];
}

/** Ajv takes what a condition looked at for evaluated whether it holds or not; of alternatives it knows which one holds. */
export function chooseConditions(written: Draft): object[] {
  const { if: condition, then: yes = {}, else: no = {} } = written;
  delete written.if;
  delete written.then;
  delete written.else;
  if (condition === undefined) return [];
  return [{ anyOf: [{ allOf: [condition, yes] }, { allOf: [{ not: condition }, no] }] }];
}

/** Ajv's code for patterns fails beside schemas that may or may not have evaluated fields of the same object. */
export function setFieldsApart(written: Draft): object[] {
  if (written.patternProperties === undefined) return [];
  const fields: Record<string, unknown> = {};
  for (const keyword of ["properties", "patternProperties", "additionalProperties"]) {
    if (written[keyword] !== undefined) fields[keyword] = written[keyword];
    delete written[keyword];
  }
  return [fields];
}

/** Ajv leaves a field named `__proto__` out of `properties`, but not a pattern for it. */
export function nameProto(written: Draft): void {
  const { properties, patternProperties } = written;
  if (!isRecord(properties) || !Object.hasOwn(properties, "__proto__")) return;
  const { ["__proto__"]: proto, ...others } = properties;
  written.properties = others;
  written.patternProperties = { ...Object(patternProperties), "^__proto__$": proto };
}
