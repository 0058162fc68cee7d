import { describe, expect, it } from "vitest";
import { compileWithAjv } from "../../../src/validation/ajv.js";
import { interpret } from "../../../src/validation/interpreted.js";
import { issuesOf } from "../../../src/validation/issues.js";
import { precompiled } from "../../validation/precompiled.js";

const cases: [what: string, schema: object, input: unknown, issues: string[]][] = [
  [
    "what is referred to, beside others",
    { allOf: [{ required: ["a"] }], $ref: "#/$defs/b", $defs: { b: { required: ["b"] } } },
    {},
    ["/a required: is required", "/b required: is required"],
  ],
  ["a type", { type: ["string", "null"] }, 5, [" type: must be string or null"]],
  ["a constant", { const: null }, 5, [" const: must be null"]],
  ["values", { enum: ["a", { b: 1 }] }, { b: 2 }, [' enum: must be one of ["a",{"b":1}]']],
  [
    "bounds",
    { items: { minimum: 1, maximum: 2, exclusiveMinimum: 0, exclusiveMaximum: 3 } },
    [0, 3],
    [
      "/0 exclusiveMinimum: must be more than 0",
      "/0 minimum: must be at least 1",
      "/1 exclusiveMaximum: must be less than 3",
      "/1 maximum: must be at most 2",
    ],
  ],
  [
    "decimal multiples",
    { items: { multipleOf: 0.1 } },
    [0.3, -7, 1e300, 0, 0.35],
    ["/4 multipleOf: must be a multiple of 0.1"],
  ],
  ["small multiples", { multipleOf: 1e-7 }, 3e-7, []],
  ["large multiples", { multipleOf: 1e300 }, 5, [" multipleOf: must be a multiple of 1e+300"]],
  [
    "lengths in characters",
    { items: { minLength: 2, maxLength: 2 } },
    ["😀", "😀😀", "abc"],
    [
      "/0 minLength: must have at least 2 characters",
      "/2 maxLength: must have at most 2 characters",
    ],
  ],
  ["a pattern", { pattern: "^a" }, "b", [" pattern: must match the pattern ^a"]],
  [
    "numbers of items",
    { items: { minItems: 1, maxItems: 1 } },
    [[], [1, 2]],
    ["/0 minItems: must have at least 1 items", "/1 maxItems: must have at most 1 items"],
  ],
  [
    "equal items",
    { uniqueItems: true },
    [{ a: [1] }, { a: [1] }],
    [" uniqueItems: must not have two equal items"],
  ],
  [
    "different items",
    { uniqueItems: true },
    [{ a: 1 }, { b: 1 }, [1], [2], [1, 2], null, {}, "1", 1],
    [],
  ],
  [
    "numbers of fields",
    { items: { minProperties: 1, maxProperties: 1 } },
    [{}, { a: 1, b: 2 }],
    [
      "/0 minProperties: must have at least 1 fields",
      "/1 maxProperties: must have at most 1 fields",
    ],
  ],
  ["a missing field", { required: ["a/b~c"] }, {}, ["/a~1b~0c required: is required"]],
  [
    "a field that another needs",
    { dependentRequired: { a: ["b", "c"] } },
    { a: 1, c: 1 },
    ['/b dependentRequired: is required beside "a"'],
  ],
  [
    "a schema that a field brings",
    { dependentSchemas: { a: { required: ["b"] } } },
    { a: 1 },
    ["/b required: is required"],
  ],
  [
    "what each alternative misses",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    {},
    ["/a required: is required", "/b required: is required"],
  ],
  [
    "what no alternative has",
    { oneOf: [{ required: ["a"] }, { type: "null" }] },
    {},
    ["/a required: is required", " type: must be null"],
  ],
  [
    "two that match",
    { oneOf: [{ required: ["z"] }, {}, { type: "object" }] },
    {},
    [" oneOf: must match only one of the alternatives"],
  ],
  [
    "too few wanted items",
    { contains: { type: "string" } },
    [1, 2],
    [" contains: must have at least 1 of the items that are wanted"],
  ],
  [
    "no items at all",
    { contains: { type: "string" } },
    [],
    [" contains: must have at least 1 of the items that are wanted"],
  ],
  [
    "fewer than asked for",
    { contains: { const: 1 }, minContains: 2 },
    [1],
    [" contains: must have at least 2 of the items that are wanted"],
  ],
  [
    "too many",
    { contains: { const: 1 }, maxContains: 1 },
    [1, 1],
    [" contains: must have at least 1 and at most 1 of the items that are wanted"],
  ],
  [
    "a name",
    { propertyNames: { maxLength: 1 } },
    { long: 1 },
    ["/long maxLength: must have at most 1 characters"],
  ],
  [
    "a name by reference",
    {
      propertyNames: { $ref: "#/$defs/a" },
      $defs: { a: { properties: { b: true }, maxLength: 1 } },
    },
    { long: 1 },
    ["/long maxLength: must have at most 1 characters"],
  ],
  [
    "what must not be",
    { properties: { a: false, b: { not: { type: "null" } } } },
    { a: 1, b: null },
    ["/a not: is not allowed", "/b not: is not allowed"],
  ],
  [
    "an unexpected field",
    { additionalProperties: false },
    { "a/b": 1 },
    ["/a~1b additionalProperties: is not allowed"],
  ],
  [
    "a field that nobody described",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1, b: 1 },
    ["/b unevaluatedProperties: is not allowed"],
  ],
  [
    "only that a described field is wrong",
    { properties: { a: { type: "null" } }, unevaluatedProperties: false },
    { a: 1 },
    ["/a type: must be null"],
  ],
  [
    "more items than described",
    { prefixItems: [true], items: false },
    [1, 2, 3],
    [" items: must not have more items than are described"],
  ],
  [
    "any items where none are described",
    { items: false },
    [1],
    [" items: must not have more items than are described"],
  ],
  [
    "items nobody described",
    { anyOf: [{ prefixItems: [true] }, false], unevaluatedItems: false },
    [1, 2],
    [" unevaluatedItems: must not have more items than are described"],
  ],
  [
    "items of a condition",
    { if: { prefixItems: [{ const: 1 }] }, unevaluatedItems: false },
    [1],
    [],
  ],
  [
    "a condition's branch",
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name.
    { if: { type: "object" }, then: { required: ["a"] }, else: { type: "null" } },
    {},
    ["/a required: is required"],
  ],
  [
    "a fault that two schemas find, once",
    { allOf: [{ type: "null" }, { type: "null" }] },
    1,
    [" type: must be null"],
  ],
  [
    "what a path with odd names leads to",
    {
      properties: { "a b%": { items: { $ref: "#/$defs/c~1d" } } },
      $defs: { "c/d": { type: "null" } },
    },
    { "a b%": [1] },
    ["/a b%/0 type: must be null"],
  ],
  [
    "patterns beside alternatives",
    { patternProperties: { "^a": { type: "null" } }, anyOf: [{ properties: { a: true } }] },
    { a: 1 },
    ["/a type: must be null"],
  ],
];

describe.each([
  ["Ajv", compileWithAjv],
  ["precompiled code", precompiled],
  ["the interpreter", interpret],
])("an agent is told by %s", (_, compile) => {
  it.each(cases)("%s", (_what, schema, input, wanted) => {
    const told = compile(schema)(input);
    expect(told.map(({ path, keyword, message }) => `${path} ${keyword}: ${message}`)).toEqual(
      wanted,
    );
  });
});

it("more faults than can be listed are an issue of their own", () => {
  expect(issuesOf([{ path: "", keyword: "faults" }])).toEqual([
    { path: "", keyword: "faults", message: "has too many faults to be listed" },
  ]);
});

it("a keyword that nobody knows is still an issue", () => {
  expect(issuesOf([{ path: "/a", keyword: "own" }])).toEqual([
    { path: "/a", keyword: "own", message: "is not valid" },
  ]);
});
