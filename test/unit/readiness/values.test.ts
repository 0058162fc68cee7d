import { describe, expect, it } from "vitest";
import { closed, foundIn, foundInArgument } from "./tools.js";

describe("text is bounded", () => {
  it.each([
    ["by maxLength", { type: "string", maxLength: 9 }],
    ["by enum", { type: "string", enum: ["a"] }],
    ["by const", { type: "string", const: "a" }],
    ["by a pattern", { type: "string", pattern: "^[a-z]{1,9}$" }],
    ["beside another type", { type: ["string", "null"], maxLength: 9 }],
    ["by an allOf member", { type: "string", allOf: [{ maxLength: 9 }] }],
    ["through a reference", { type: "string", $ref: "#/$defs/short" }],
    ["by every branch", { type: "string", anyOf: [{ maxLength: 9 }, { const: "a" }] }],
    ["by branches alone", { oneOf: [{ type: "string", maxLength: 9 }, { type: "integer" }] }],
    ["when there is none", { type: "integer" }],
  ])("%s", (_, schema) => {
    expect(foundInArgument(schema, { $defs: { short: { maxLength: 9 } } })).toEqual([]);
  });
});

describe("text is unbounded", () => {
  it.each([
    ["by default", { type: "string" }, ""],
    ["with a format", { type: "string", format: "uuid" }, ""],
    ["with another bound", { type: "string", minLength: 1 }, ""],
    ["with a bound that is none", { type: "string", maxLength: "9" }, ""],
    ["with a pattern for its start", { type: "string", pattern: "^[a-z]{1,9}" }, ""],
    ["beside another type", { type: ["string", "null"] }, ""],
    ["in items", { type: "array", maxItems: 2, items: { type: "string" } }, "/items"],
    [
      "in a map",
      { ...closed(), patternProperties: { a: { type: "string" } } },
      "/patternProperties/a",
    ],
    ["in one branch", { type: "string", anyOf: [{ maxLength: 9 }, { minLength: 9 }] }, "/anyOf/1"],
    ["in a branch alone", { oneOf: [{ type: "string" }, { type: "integer" }] }, "/oneOf/0"],
    ["around branches", { type: "string", anyOf: [{ minLength: 9 }, { format: "uri" }] }, ""],
    ["where it is defined", { $ref: "#/$defs/text" }, "/$defs/text"],
  ])("%s", (_, schema, path) => {
    const findings = foundInArgument(schema, { $defs: { text: { type: "string" } } });
    expect(findings).toEqual([`unbounded_string ${path}`]);
  });

  it("where a branch makes text of an argument", () => {
    const schema = {
      ...closed({ b: { type: ["integer", "string"], maxLength: 3, description: "It." } }),
      anyOf: [{ properties: { b: { type: "string" } } }, { properties: { c: { type: "string" } } }],
    };
    expect(foundIn(schema)).toEqual([
      "undocumented_argument /anyOf/1/properties/c",
      "unbounded_string /anyOf/1/properties/c",
    ]);
  });

  it("without a type, where it is judged as an object too", () => {
    expect(foundInArgument({ minLength: 1 })).toEqual(["open_object ", "unbounded_string "]);
  });
});

describe("an array is bounded", () => {
  const items = { type: "integer" };
  it.each([
    ["by maxItems", { type: "array", items, maxItems: 9 }],
    ["as a closed tuple", { type: "array", prefixItems: [items], items: false }],
    [
      "as a tuple closed at the end",
      { type: "array", prefixItems: [items], unevaluatedItems: false },
    ],
    [
      "as a tuple that maxItems closes",
      { type: "array", prefixItems: [items, items], maxItems: 2 },
    ],
    ["by an allOf member", { type: "array", allOf: [{ items, maxItems: 9 }] }],
    ["by every branch", { type: "array", items, oneOf: [{ maxItems: 1 }, { const: [1, 2] }] }],
    ["by branches that say of what", { type: "array", maxItems: 2, anyOf: [{ items }, { items }] }],
  ])("%s", (_, schema) => {
    expect(foundInArgument(schema)).toEqual([]);
  });
});

describe("an array is unbounded", () => {
  const items = { type: "integer" };
  it.each([
    ["by default", { type: "array", items }, ""],
    ["as an open tuple", { type: "array", prefixItems: [items], items }, ""],
    [
      "where its items leave none to be closed",
      { type: "array", items, unevaluatedItems: false },
      "",
    ],
    [
      "where any number of items can count",
      { type: "array", contains: items, unevaluatedItems: false },
      "",
    ],
    ["in items", { type: "array", maxItems: 1, items: { type: "array", items } }, "/items"],
    ["in a branch", { anyOf: [{ type: "null" }, { type: "array", items }] }, "/anyOf/1"],
  ])("%s", (_, schema, path) => {
    expect(foundInArgument(schema)).toEqual([`unbounded_array ${path}`]);
  });
});

describe("an argument is documented", () => {
  const integer = { type: "integer" };
  it.each([
    ["by its description", { ...integer, description: "How many." }],
    ["through a reference", { $ref: "#/$defs/told" }],
    ["through a chain of references", { $ref: "#/$defs/alias" }],
    ["by an allOf member", { allOf: [{ description: "How many." }], ...integer }],
    ["when it is forbidden", false],
  ])("%s", (_, b) => {
    const $defs = {
      told: { ...integer, description: "How many." },
      alias: { $ref: "#/$defs/told" },
    };
    expect(foundIn({ ...closed({ b }), $defs })).toEqual([]);
  });

  it("by another part of the schema that describes the same argument", () => {
    const $defs = { base: { type: "object", properties: { b: { description: "Which." } } } };
    const properties = { b: { const: "x" } };
    const schema = { $defs, $ref: "#/$defs/base", properties, unevaluatedProperties: false };
    expect(foundIn(schema)).toEqual([]);
  });
});

describe("an argument is undocumented", () => {
  const integer = { type: "integer" };
  it.each([
    ["without a description", { b: integer }, "/properties/b"],
    ["with a blank one", { b: { ...integer, description: " \n" } }, "/properties/b"],
    ["with one that is no text", { b: { ...integer, description: 1 } }, "/properties/b"],
    ["with a constant", { b: { const: 1 } }, "/properties/b"],
    ["through a reference", { b: { $ref: "#/$defs/untold" } }, "/properties/b"],
    [
      "where only branches tell",
      { b: { ...integer, anyOf: [{ description: "It." }] } },
      "/properties/b",
    ],
    [
      "in an argument",
      { b: { description: "It.", ...closed({ c: integer }) } },
      "/properties/b/properties/c",
    ],
    ["by the name of a keyword", { properties: integer }, "/properties/properties"],
  ])("%s", (_, properties, path) => {
    const schema = { ...closed(properties), $defs: { untold: integer } };
    expect(foundIn(schema)).toEqual([`undocumented_argument ${path}`]);
  });
});

describe("an undocumented argument", () => {
  it("is told once, where it is declared, however often it is constrained", () => {
    const schema = {
      ...closed({ b: { type: "integer" } }),
      allOf: [{ properties: { b: { minimum: 1 } } }],
      anyOf: [{ properties: { b: { maximum: 9 } } }],
    };
    expect(foundIn(schema)).toEqual(["undocumented_argument /properties/b"]);
  });

  it("is told where it is one, though other uses of its definition document it", () => {
    const $defs = { extra: { anyOf: [{ properties: { c: { type: "integer" } } }] } };
    const use = (properties: object) => ({
      ...closed(properties),
      description: "It.",
      $ref: "#/$defs/extra",
    });
    const documented = use({ c: { type: "integer", description: "How many." } });
    expect(foundIn({ ...closed({ a: documented, b: use({}) }), $defs })).toEqual([
      "undocumented_argument /$defs/extra/anyOf/0/properties/c",
    ]);
  });
});

describe("a reference", () => {
  it.each([
    ["to nothing", "#/$defs/gone"],
    ["to no schema", "#/type"],
    ["through no schema", "#/type/0"],
    ["to what every object has", "#/__proto__"],
    ["to an unknown anchor", "#gone"],
    ["to another document", "https://example.com/schema"],
    ["that can't be decoded", "#%"],
    ["that is no text", 1],
  ])("%s is told, and nothing more about it", (_, $ref) => {
    expect(foundInArgument({ $ref })).toEqual(["unresolved_reference /$ref"]);
  });

  it("may have escapes", () => {
    const $defs = { "a/b~c d": { type: "string" } };
    expect(foundInArgument({ $ref: "#/$defs/a~1b~0c%20d" }, { $defs })).toEqual([
      "unbounded_string /$defs/a~1b~0c d",
    ]);
  });

  it("means the embedded schema that it is in", () => {
    const $defs = { text: { type: "string" } };
    const embedded = {
      $id: "https://example.com/embedded",
      $ref: "#/$defs/text",
      $defs: { text: { $anchor: "short", type: "string", maxLength: 9 } },
    };
    expect(foundInArgument(embedded, { $defs })).toEqual([]);
    expect(foundInArgument({ ...embedded, $ref: "#short" }, { $defs })).toEqual([]);
    const outside = { $defs: { ...$defs, embedded }, ...closed() };
    expect(
      foundIn({ ...outside, properties: { b: { description: "It.", $ref: "#short" } } }),
    ).toEqual(["unresolved_reference /properties/b/$ref"]);
  });
});
