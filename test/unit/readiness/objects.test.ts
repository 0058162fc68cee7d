import { describe, expect, it } from "vitest";
import { closed, foundIn, foundInArgument, when } from "./tools.js";

const closedText = { type: "string", maxLength: 9, description: "Some text." };

describe("an object is closed", () => {
  it.each([
    ["by additionalProperties", { type: "object", additionalProperties: false }],
    ["by unevaluatedProperties", { type: "object", unevaluatedProperties: false }],
    ["without a type", { properties: {}, additionalProperties: false }],
    ["beside another type", { type: ["object", "null"], additionalProperties: false }],
    ["with patterns", { patternProperties: { "^x-": false }, additionalProperties: false }],
    ["as a constant", { type: "object", const: { a: 1 } }],
    ["as one of several constants", { enum: [{ a: 1 }, { a: 2 }] }],
    ["when there is none", { type: "integer" }],
    ["when nothing is allowed", false],
  ])("%s", (_, schema) => {
    expect(foundInArgument(schema)).toEqual([]);
  });

  it.each([
    ["an allOf member", { allOf: [closed(), { type: "object" }] }],
    ["a reference", { $ref: "#/$defs/closed" }],
    ["a reference beside its own words", { type: "object", $ref: "#/$defs/closed" }],
    ["a reference behind another", { $ref: "#/$defs/alias" }],
    ["an anchor", { $ref: "#closed" }],
    ["a dynamic anchor", { $dynamicRef: "#dynamic" }],
    ["every branch of anyOf", { anyOf: [closed(), { type: "null" }] }],
    ["every branch of oneOf", { type: "object", oneOf: [closed(), closed()] }],
    ["branches of branches", { type: "object", oneOf: [{ anyOf: [closed(), closed()] }] }],
    ["then and else", { type: "object", ...when({ required: ["b"] }, closed(), closed()) }],
  ])("by %s", (_, schema) => {
    const $defs = {
      closed: { $anchor: "closed", ...closed() },
      dynamic: { $dynamicAnchor: "dynamic", ...closed() },
      alias: { $ref: "#/$defs/closed" },
    };
    expect(foundInArgument(schema, { $defs })).toEqual([]);
  });

  it("whose allOf members, branches and conditions only add constraints", () => {
    const schema = {
      ...closed({ kind: { enum: ["a", "b"], description: "Which." }, b: closedText }),
      allOf: [
        { required: ["kind"] },
        { type: "object", minProperties: 1 },
        when({ properties: { kind: { const: "b" } } }, { required: ["b"] }),
        { properties: { b: { minLength: 2 } } },
      ],
      anyOf: [{ required: ["kind"] }, { properties: { b: true } }],
      not: { required: ["c"], properties: { c: {} } },
      dependentSchemas: { b: { properties: { kind: { const: "b" } } } },
    };
    expect(foundIn(schema)).toEqual([]);
  });

  it("that is composed of open parts and closed at the end", () => {
    const $defs = { base: { type: "object", properties: { b: closedText } } };
    expect(
      foundIn({
        $defs,
        type: "object",
        allOf: [{ $ref: "#/$defs/base" }, { properties: { c: closedText } }],
        unevaluatedProperties: false,
      }),
    ).toEqual([]);
  });
});

describe("an object is open", () => {
  it.each([
    ["by default", { type: "object", properties: {} }],
    ["by word", { type: "object", additionalProperties: true }],
    ["as a map", { type: "object", additionalProperties: { type: "integer" } }],
    [
      "when the words that close it don't",
      { additionalProperties: {}, unevaluatedProperties: false },
    ],
    ["beside another type", { type: ["object", "null"] }],
    ["without a type", { properties: { b: closedText } }],
    ["by a schema that says nothing", {}],
    ["by true", true],
    ["where only conditions close it", { type: "object", ...when({}, closed()) }],
    ["where only one argument closes it", { type: "object", dependentSchemas: { b: closed() } }],
    ["where branches only add constraints", { type: "object", anyOf: [{ required: ["b"] }, {}] }],
    ["behind not", { type: "object", not: closed() }],
  ])("%s", (_, schema) => {
    const findings = foundInArgument(schema).filter((text) => text.startsWith("open_object"));
    expect(findings[0]).toBe("open_object ");
  });

  const open = { type: "object" };
  it.each([
    ["in a field", closed({ b: { description: "It.", ...open } }), "/properties/b"],
    [
      "in a field named like a pointer",
      closed({ "~/": { description: "It.", ...open } }),
      "/properties/~0~1",
    ],
    [
      "in a pattern's field",
      { ...closed(), patternProperties: { "^x": open } },
      "/patternProperties/^x",
    ],
    ["in items", { type: "array", maxItems: 2, items: open }, "/items"],
    ["in items by true", { type: "array", maxItems: 2, items: true }, "/items"],
    ["in items that nothing describes", { type: "array", maxItems: 2 }, "/items"],
    ["in a tuple", { type: "array", prefixItems: [open], items: false }, "/prefixItems/0"],
    ["in other items", { type: "array", maxItems: 2, unevaluatedItems: open }, "/unevaluatedItems"],
    ["in an allOf member", { allOf: [open] }, "/allOf/0"],
    ["in a branch of anyOf", { anyOf: [closed(), open] }, "/anyOf/1"],
    ["in a branch of oneOf", { type: "object", oneOf: [{ properties: {} }, closed()] }, "/oneOf/0"],
    ["in else", when({}, closed(), open), "/else"],
    [
      "in a field that a branch adds",
      { ...closed(), anyOf: [{ properties: { b: { description: "It." } } }] },
      "/anyOf/0/properties/b",
    ],
    [
      "in a branch of an allOf member",
      { ...closed(), allOf: [when({}, { patternProperties: { b: open } })] },
      "/allOf/0/then/patternProperties/b",
    ],
  ])("%s", (_, schema, path) => {
    expect(foundInArgument(schema)).toEqual([`open_object ${path}`]);
  });

  it("once, where it is defined, however often it is used", () => {
    const use = { description: "It.", $ref: "#/$defs/open" };
    const schema = { ...closed({ b: use, c: use, d: { ...use } }), $defs: { open } };
    expect(foundIn(schema)).toEqual(["open_object /$defs/open"]);
  });

  it("in one use of a definition that is closed in another", () => {
    const $defs = { open };
    const b = { description: "It.", $ref: "#/$defs/open", unevaluatedProperties: false };
    const c = { description: "It.", $ref: "#/$defs/open" };
    expect(foundIn({ ...closed({ b, c }), $defs })).toEqual(["open_object /$defs/open"]);
    expect(foundIn({ ...closed({ b }), $defs })).toEqual([]);
  });

  it("at every place where one JavaScript object is used", () => {
    const shared = { description: "It.", ...open };
    expect(foundIn(closed({ b: shared, c: shared }))).toEqual([
      "open_object /properties/b",
      "open_object /properties/c",
    ]);
  });

  it.each([{ additionalProperties: true }, { unevaluatedProperties: true }])(
    "is one fault, though it is said in words: %j",
    (words) => {
      expect(foundInArgument({ type: "object", ...words })).toEqual(["open_object "]);
    },
  );

  it("in each branch, where the schema around says nothing", () => {
    expect(foundInArgument({ anyOf: [open, { ...open, minProperties: 1 }] })).toEqual([
      "open_object /anyOf/0",
      "open_object /anyOf/1",
    ]);
  });

  it("where a branch takes every field, so that nothing is left to be unevaluated", () => {
    const branch = { additionalProperties: true };
    const schema = { type: "object", unevaluatedProperties: false, anyOf: [branch] };
    expect(foundInArgument(schema)).toEqual(["open_object /anyOf/0"]);
  });

  it("in a branch of a branch that is a condition elsewhere", () => {
    const shared = { anyOf: [{ anyOf: [{ minProperties: 1 }] }] };
    const allOf = [{ dependentSchemas: { b: shared } }, { anyOf: [shared] }];
    expect(foundInArgument({ type: "object", allOf })).toEqual([
      "open_object /allOf/1/anyOf/0/anyOf/0",
    ]);
  });

  it("is told from the outside in", () => {
    const schema = { type: "object", properties: { b: { description: "It.", ...open } } };
    expect(foundIn(schema)).toEqual(["open_object ", "open_object /properties/b"]);
  });
});

describe("definitions that nothing refers to", () => {
  it("describe no input", () => {
    expect(foundIn({ ...closed(), $defs: { open: { type: "object" } } })).toEqual([]);
  });
});
