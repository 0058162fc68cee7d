import fc from "fast-check";

/** Names that schemas and inputs share, some of which mean something to JavaScript or to JSON Pointers. */
const names = ["a", "b", "c", "__proto__", "constructor", "valueOf", "x/y~z", "é 😀", ""];
const name = fc.constantFrom(...names);
const nameList = fc.uniqueArray(
  name.filter((text) => text !== ""),
  { maxLength: 3 },
);
const count = fc.nat({ max: 3 });
const number = fc.constantFrom(-1, 0, 0.1, 0.3, 1, 1.5, 2, 7, 1e300);
const text = fc.constantFrom("", "a", "ab", "b", "😀", "long text");
const scalar = fc.oneof(fc.constant(null), fc.boolean(), number, text);

const record = <T>(value: fc.Arbitrary<T>, keys: fc.Arbitrary<string> = name) =>
  fc
    .uniqueArray(fc.tuple(keys, value), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries));

/** JSON data that has a fair chance to match. */
export const data: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: "data" },
    scalar,
    fc.array(tie("value"), { maxLength: 3, depthIdentifier: "data" }),
    record(tie("value")),
  ),
})).value;

const types = ["null", "boolean", "object", "array", "number", "integer", "string"];
const type = fc.oneof(
  fc.constantFrom(...types),
  fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
);
const pattern = fc.constantFrom("^a", "b$", "^.$", "[^a]");
const reference = fc.constantFrom("#", "#/$defs/one", "#/$defs/two", "#there");

const assertions = {
  type,
  const: data,
  enum: fc.array(data, { maxLength: 3 }),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(0.1, 0.5, 1, 2),
  minLength: count,
  maxLength: count,
  pattern,
  minItems: count,
  maxItems: count,
  uniqueItems: fc.boolean(),
  minProperties: count,
  maxProperties: count,
  required: nameList,
  dependentRequired: record(nameList),
  format: fc.constant("email"),
};

/** Draft 2020-12 schemas. Some are refused: their references lead nowhere, or they refer to themselves. */
export const schema: fc.Arbitrary<object> = fc
  .letrec<{ schema: unknown; object: object }>((tie) => {
    const inner = tie("schema");
    const list = fc.array(inner, { minLength: 1, maxLength: 2 });
    const applicators = {
      allOf: list,
      anyOf: list,
      oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
      not: inner,
      if: inner,
      // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
      then: inner,
      else: inner,
      dependentSchemas: record(inner, fc.constantFrom("a", "b", "constructor")),
      properties: record(inner),
      patternProperties: record(inner, pattern),
      additionalProperties: inner,
      unevaluatedProperties: inner,
      propertyNames: inner,
      prefixItems: list,
      items: inner,
      unevaluatedItems: inner,
      contains: inner,
      minContains: count,
      maxContains: count,
      $ref: reference,
    };
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthIdentifier: "schema", withCrossShrink: true },
        fc.constantFrom(true, false, {}, { type: "string" }),
        tie("object"),
      ),
      object: keywords({ ...assertions, ...applicators }),
    };
  })
  .object.chain((root) =>
    fc
      .record({ one: keywords(assertions), two: keywords(assertions), there: keywords(assertions) })
      .map(({ one, two, there }) => ({
        ...root,
        $defs: { one, two, there: { ...there, $anchor: "there" } },
      })),
  );

/** One to three of the keywords at a time: with more, hardly any input is valid. */
function keywords(all: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const entries = Object.entries(all).map(([keyword, value]) => value.map((v) => [keyword, v]));
  return fc
    .array(fc.oneof(...entries), { minLength: 1, maxLength: 4 })
    .map((chosen) => Object.fromEntries(chosen));
}
