import { describe, expect, it } from "vitest";
import { assertToolReady, checkToolReadiness } from "../../../src/readiness/readiness.js";
import { closed, found, foundIn, readyTool } from "./tools.js";

const LEVELS = 10_000;

/** A schema inside of a schema, and so on. */
function nested(wrap: (inner: object) => object, core: object): object {
  let schema = core;
  for (let level = 0; level < LEVELS; level += 1) schema = wrap(schema);
  return schema;
}

const fails = (): never => {
  throw new Error("No.");
};

describe("a very deep schema", () => {
  const text = { type: "string" };
  it.each([
    ["of fields", nested((b) => closed({ b: { description: "It.", ...b } }), text)],
    ["of items", nested((items) => ({ type: "array", maxItems: 1, items }), text)],
    ["of allOf", nested((inner) => ({ allOf: [inner] }), text)],
    [
      "of negations",
      closed({ b: { ...text, description: "It.", not: nested((not) => ({ not }), {}) } }),
    ],
  ])("%s is checked to its end", (_, schema) => {
    const findings = checkToolReadiness({ ...readyTool, inputSchema: schema });
    expect(findings.map(({ code }) => code)).toEqual(["unbounded_string"]);
  });

  it("that is open everywhere is told from the outside in", () => {
    const inputSchema = nested((b) => ({ properties: { b } }), {});
    const findings = checkToolReadiness({ ...readyTool, inputSchema });
    expect(findings).toHaveLength(2 * LEVELS + 1);
    expect(() => assertToolReady({ ...readyTool, inputSchema })).toThrow(/and \d+ more/);
  });

  it("of branches is refused where it can't be judged in time", () => {
    const inputSchema = nested((inner) => ({ anyOf: [inner] }), {});
    expect(() => checkToolReadiness({ ...readyTool, inputSchema })).toThrow(TypeError);
  });
});

describe("a schema that refers to itself", () => {
  const node = (child: object) => ({
    ...closed({
      child: { description: "It.", ...child },
      text: { type: "string", description: "It." },
    }),
  });
  it.each([
    ["as a whole", node({ $ref: "#" }), ["unbounded_string /properties/text"]],
    [
      "in a branch",
      node({ anyOf: [{ $ref: "#" }, { type: "null" }] }),
      ["unbounded_string /properties/text"],
    ],
    ["and nothing else", { $ref: "#" }, ["open_object "]],
    [
      "through a definition",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      ["open_object "],
    ],
    ["in anyOf", { anyOf: [{ $ref: "#" }] }, ["open_object /anyOf/0"]],
  ])("%s is checked once", (_, schema, expected) => {
    expect(foundIn(schema)).toEqual(expected);
  });

  it("as a JavaScript object is checked once at each place", () => {
    const schema: { [keyword: string]: unknown } = { type: "object", $ref: "#here" };
    schema.properties = { self: schema };
    schema.$defs = { here: { $anchor: "here" }, schema };
    expect(foundIn(schema)).toEqual([
      "open_object ",
      "undocumented_argument /properties/self",
      "open_object /properties/self",
    ]);
  });
});

describe("what is no tool", () => {
  it.each([undefined, null, 1, "search_products", [], () => {}])("is refused: %s", (value) => {
    expect(() => Reflect.apply(checkToolReadiness, undefined, [value])).toThrow(TypeError);
    expect(() => Reflect.apply(assertToolReady, undefined, [value])).toThrow(TypeError);
  });

  it("has findings where it is an object", () => {
    const check = (value: unknown) => Reflect.apply(checkToolReadiness, undefined, [value]);
    const expected = [
      "name_not_verb_noun",
      "description_too_short",
      "open_object",
      "verify_missing",
    ];
    expect(check({}).map(({ code }: { code: string }) => code)).toEqual(expected);
    const nonsense = {
      name: 1,
      description: [],
      inputSchema: 1,
      annotations: 1,
      idempotency: 1,
      journal: 1,
    };
    expect(check(nonsense).map(({ code }: { code: string }) => code)).toEqual(expected);
    expect(() => Reflect.apply(assertToolReady, undefined, [nonsense])).toThrow("not ready");
  });

  it.each([
    [
      "a field",
      {
        ...readyTool,
        get name() {
          return fails();
        },
      },
    ],
    [
      "a keyword",
      {
        ...readyTool,
        inputSchema: {
          get properties() {
            return fails();
          },
        },
      },
    ],
    ["a proxy", { ...readyTool, inputSchema: new Proxy({}, { get: fails }) }],
    [
      "a journal",
      {
        ...readyTool,
        idempotency: { key: () => "k" },
        journal: { store: new Proxy({ read: fails, write: fails, remove: fails }, { get: fails }) },
      },
    ],
  ])("can't be read: %s that throws", (_, tool) => {
    expect(() => checkToolReadiness(tool)).toThrow(TypeError);
  });

  it("has no end", () => {
    const endless = (): object =>
      new Proxy(
        {},
        {
          get: (_, key) => (key === "properties" || key === "b" ? endless() : undefined),
          ownKeys: () => ["b"],
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        },
      );
    expect(() => foundIn(endless())).toThrow(TypeError);
    const long: unknown[] = [];
    long.length = 2 ** 32 - 1;
    expect(() => foundIn({ allOf: long })).toThrow(TypeError);
  });

  it("has one long text", () => {
    const text = "(".repeat(1_000_000);
    expect(found({ ...readyTool, name: text, description: text })).toHaveLength(2);
    expect(foundIn({ type: "string", pattern: text })).toEqual(["unbounded_string "]);
    expect(foundIn({ $ref: `#${text}` })).toEqual(["unresolved_reference /$ref"]);
    expect(foundIn({ $ref: `#${"/".repeat(1_000_000)}` })).toEqual(["unresolved_reference /$ref"]);
  });
});
