import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkToolReadiness } from "../../../src/readiness/readiness.js";
import { closed, foundIn, readyTool } from "./tools.js";

const name = fc.constantFrom("a", "b", "$ref", "properties", "__proto__");

/** Schemas with every keyword that is looked at, and references to places that may or may not exist. */
const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => {
  const inner = tie("schema");
  const keyword = fc.oneof(
    fc.tuple(
      fc.constant("type"),
      fc.constantFrom("object", "array", "string", ["string", "object"], 1),
    ),
    fc.tuple(fc.constantFrom("description", "$anchor", "$id", "pattern"), name),
    fc.tuple(fc.constantFrom("maxItems", "maxLength", "const", "enum"), fc.integer()),
    fc.tuple(
      fc.constantFrom("$ref", "$dynamicRef"),
      fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#a", "#/properties/a", "#/anyOf/0", "no"),
    ),
    fc.tuple(
      fc.constantFrom("items", "unevaluatedItems", "additionalProperties", "unevaluatedProperties"),
      inner,
    ),
    fc.tuple(fc.constantFrom("if", "then", "else", "not", "contains", "propertyNames"), inner),
    fc.tuple(
      fc.constantFrom("$defs", "properties", "patternProperties", "dependentSchemas"),
      fc.dictionary(name, inner, { maxKeys: 3 }),
    ),
    fc.tuple(
      fc.constantFrom("allOf", "anyOf", "oneOf", "prefixItems"),
      fc.array(inner, { maxLength: 3 }),
    ),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.boolean(),
      fc.array(keyword, { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  };
});

/** Schemas that leave nothing open. */
const { ready } = fc.letrec<{ ready: object }>((tie) => {
  const inner = tie("ready");
  const documented = inner.map((value) => ({ ...value, description: "It." }));
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  return {
    ready: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<object>(
        { type: "integer" },
        { type: "string", maxLength: 4 },
        { enum: ["a", { b: 1 }] },
      ),
      fc.dictionary(name, documented, { maxKeys: 3 }).map(closed),
      inner.map((items) => ({ type: "array", maxItems: 2, items })),
      some.map((prefixItems) => ({ type: "array", prefixItems, items: false })),
      some.map((anyOf) => ({ anyOf })),
      some.map((oneOf) => ({ oneOf })),
      inner.map((value) => ({ allOf: [{ minProperties: 1 }, value] })),
    ),
  };
});

describe("any schema", () => {
  it("ends in findings that point into it, each told once, and is left as it was", () => {
    fc.assert(
      fc.property(schema, (value) => {
        const tool = { ...readyTool, inputSchema: Object(value) };
        const before = JSON.stringify(tool);
        const findings = checkToolReadiness(tool);
        expect(JSON.stringify(tool)).toBe(before);
        const told = findings.map(({ code, path }) => `${code} ${path}`);
        expect(new Set(told).size).toBe(told.length);
        for (const { path } of findings) expect(path).toMatch(/^\/inputSchema(?:\/|$)/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("made of closed and bounded parts is ready", () => {
    fc.assert(
      fc.property(ready, (value) => {
        expect(foundIn(value)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("made of such parts around one that is open is not", () => {
    const wrappers = fc.constantFrom<(inner: object) => object>(
      (items) => ({ type: "array", maxItems: 2, items }),
      (inner) => closed({ a: { ...inner, description: "It." } }),
      (inner) => ({ anyOf: [{ type: "null" }, inner] }),
      (inner) => ({ oneOf: [inner] }),
      (inner) => ({ allOf: [inner] }),
      (inner) => ({ $ref: "#/$defs/a", $defs: { a: inner }, $id: "urn:embedded" }),
    );
    const faults = fc.constantFrom<[string, object]>(
      ["open_object", { type: "object" }],
      ["unbounded_string", { type: "string" }],
      ["unbounded_array", { type: "array", items: { type: "integer" } }],
      ["undocumented_argument", closed({ b: { type: "integer" } })],
    );
    fc.assert(
      fc.property(fc.array(wrappers, { maxLength: 8 }), faults, (wraps, [code, fault]) => {
        const findings = foundIn(wraps.reduce((inner, wrap) => wrap(inner), fault));
        expect(findings.map((text) => text.split(" ")[0])).toEqual([code]);
      }),
      { numRuns: 500 },
    );
  });
});
