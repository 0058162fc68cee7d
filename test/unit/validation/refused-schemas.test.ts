import { describe, expect, it } from "vitest";
import { interpret } from "../../../src/validation/interpreted.js";
import { prepareSchema } from "../../../src/validation/prepare.js";
import { openTab, orderTool } from "../runtime/tab.js";

const circular: Record<string, unknown> = { type: "object" };
circular.properties = { self: circular };

const deep = Array.from({ length: 300 }).reduce<object>((items) => ({ items }), {});
const wide = { enum: [1], properties: { list: { anyOf: Array(20_001).fill(true) } } };
const doubling = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [
    `d${index}`,
    { allOf: Array(2).fill({ $ref: `#/$defs/d${index + 1}` }) },
  ]),
);

const refused: [fault: string, path: string, schema: object][] = [
  ["a type that does not exist", "/items/type", { items: { type: "strnig" } }],
  ["no type at all", "/type", { type: [] }],
  ["one type twice", "/type", { type: ["null", "null"] }],
  ["values that are no list", "/enum", { enum: "a" }],
  ["a count below 0", "/minLength", { minLength: -1 }],
  ["a broken number", "/maximum", { maximum: Number.NaN }],
  ["a multiple of nothing", "/multipleOf", { multipleOf: 0 }],
  ["a flag that is none", "/uniqueItems", { uniqueItems: 1 }],
  ["one name twice", "/required", { required: ["a", "a"] }],
  ["a missing field without a name", "/dependentRequired", { dependentRequired: { a: [""] } }],
  ["a dependency that is no list", "/dependentRequired", { dependentRequired: { a: "b" } }],
  ["a title that is no text", "/title", { title: 5 }],
  ["a member that is no schema", "/properties/a~1b", { properties: { "a/b": null } }],
  ["members that are none", "/properties", { properties: [] }],
  ["no alternatives", "/anyOf", { anyOf: [] }],
  ["items of an earlier draft", "/items", { items: [{ type: "string" }] }],
  ["a name that is no text", "/properties/\ud800", { properties: { "\ud800": true } }],
  ["dependencies", "/dependencies", { dependencies: { a: ["b"] } }],
  ["additionalItems", "/not/additionalItems", { not: { additionalItems: false } }],
  ["another dialect", "/$schema", { $schema: "http://json-schema.org/draft-07/schema#" }],
  ["another dialect inside", "/items/$schema", { items: { $id: "a", $schema: "a" } }],
  ["a pattern that does not compile", "/pattern", { pattern: "(" }],
  ["a pattern that the input would choose", "/pattern", { pattern: { $data: "1/own" } }],
  ["a key that does not compile", "/patternProperties/(", { patternProperties: { "(": true } }],
  ["a reference that leads nowhere", "/items/$ref", { items: { $ref: "#/$defs/no" } }],
  ["one in a definition nobody uses", "/$defs/a/$ref", { $defs: { a: { $ref: "#b" } } }],
  ["a reference to the network", "/$ref", { $ref: "https://example.com/schema" }],
  ["a reference to what is no schema", "/$ref", { $ref: "#/x-own", "x-own": {} }],
  ["a reference that is no URI", "/$ref", { $ref: "http://[" }],
  ["a reference with a broken escape", "/$ref", { $ref: "#/%zz" }],
  ["an id with a fragment", "/$id", { $id: "a#b" }],
  ["an id that is no URI", "/$id", { $id: "http://[" }],
  ["an id that is no text", "/$id", { $id: 5 }],
  ["one id twice", "/$defs/b/$id", { $defs: { a: { $id: "x" }, b: { $id: "x" } } }],
  ["an anchor that is no name", "/$anchor", { $anchor: "a b" }],
  ["one anchor twice", "/$defs/b/$anchor", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }],
  [
    "a reference that can mean two schemas",
    "/$dynamicRef",
    {
      $dynamicRef: "#x",
      $defs: { a: { $dynamicAnchor: "x" }, b: { $id: "b", $dynamicAnchor: "x" } },
    },
  ],
  ["a schema that is its own condition", "the schema", { $ref: "#" }],
  [
    "schemas that ask each other",
    "/$defs/a",
    { $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
  ],
  ["`contains` with `unevaluatedItems`", "/contains", { contains: {}, unevaluatedItems: false }],
  ["an object that contains itself", "the schema", circular],
  ["more levels than anybody reads", "the schema", deep],
  ["more schemas than anybody reads", "the schema", wide],
  [
    "references that double again and again",
    "/$defs/d",
    { propertyNames: { $ref: "#/$defs/d0" }, $defs: { ...doubling, d20: { minLength: 1 } } },
  ],
];

describe("a tool is not exposed, and the place in its schema is named, (C107, nicobailon/pi-mcp-adapter#2; C109, ajv-validator/ajv#2331; C113, ajv-validator/ajv#2586 (CVE-2025-69873))", () => {
  it.each(refused)("with %s", async (_, path, inputSchema) => {
    const exposing = openTab(orderTool({ inputSchema }));
    await expect(exposing).rejects.toThrow(TypeError);
    await expect(exposing).rejects.toThrow(
      `Tool "cancel_order": \`inputSchema\` does not compile: ${path}`,
    );
  });
});

describe("a schema may", () => {
  it.each<[string, object]>([
    ["name its draft", { $schema: "https://json-schema.org/draft/2020-12/schema#" }],
    ["have keywords of its own", { "x-form": { widget: "date" }, nullable: true }],
    ["have keywords without a value", { title: undefined, properties: undefined }],
    ["be true inside", { properties: { a: true }, items: true, unevaluatedProperties: true }],
    ["have an empty list of values", { enum: [] }],
    ["refer to an embedded schema by its URI", { $ref: "b", $defs: { b: { $id: "b" } } }],
    [
      "refer to one dynamic anchor",
      { $defs: { a: { $dynamicAnchor: "x" } }, properties: { a: { $dynamicRef: "#x" } } },
    ],
    ["refer to itself for a part", { properties: { parent: { $ref: "#" } } }],
  ])("%s", (_, schema) => {
    expect(() => prepareSchema(schema)).not.toThrow();
  });

  it("be frozen, and is never written to", () => {
    const schema = Object.freeze({ $defs: Object.freeze({ a: true }), $ref: "#/$defs/a" });
    expect(interpret(schema)({})).toEqual([]);
  });
});

describe("the interpreter refuses what it would get wrong:", () => {
  const closed = { unevaluatedProperties: false };
  const open = { properties: { a: true } };
  it.each<[string, object]>([
    ["a schema for the unevaluated", { unevaluatedProperties: { type: "string" } }],
    ["one beside others", { anyOf: [open], allOf: [closed] }],
    ["one below those", { anyOf: [open], allOf: [{ allOf: [closed] }] }],
    ["one that depends on a field", { dependentSchemas: { a: closed } }],
    ["one that is referred to", { anyOf: [open], $ref: "#/$defs/a", $defs: { a: closed } }],
  ])("%s", (_, schema) => {
    expect(() => interpret(schema)).toThrow(/unevaluated/);
  });

  it.each<[string, object]>([
    ["on the outside", { allOf: [open], ...closed }],
    ["in an object of its own", { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: closed } }],
    ["in the only keyword", { allOf: [open, closed] }],
    ["of itself", { properties: { a: { $ref: "#" } }, ...closed }],
  ])("but not `unevaluatedProperties: false` %s", (_, schema) => {
    expect(() => interpret(schema)).not.toThrow();
  });
});
