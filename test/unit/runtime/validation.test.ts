import { describe, expect, it } from "vitest";
import { ValidationError, type ValidationIssue } from "../../../src/index.js";
import { compileWithAjv } from "../../../src/validation/ajv.js";
import { openTab, orderTool } from "./tab.js";

const text = { type: "string" };

/** What an agent is told of an input that a tool with this schema refuses. */
async function refusal(inputSchema: object, input: unknown): Promise<ValidationError> {
  const { call } = await openTab(orderTool({ inputSchema }));
  const error: unknown = await call(undefined, input).catch((thrown: unknown) => thrown);
  if (error instanceof ValidationError) return error;
  throw new Error("The input was accepted.", { cause: error });
}

const paths = (issues: readonly ValidationIssue[]) =>
  issues.map(({ path, keyword }) => `${path} ${keyword}`);

describe("an input that the schema does not admit", () => {
  it("has its missing fields named first, each by its own path", async () => {
    const { message, issues } = await refusal(
      {
        type: "object",
        properties: {
          count: { type: "integer" },
          buyer: { type: "object", required: ["id", "a/b~c"] },
        },
        required: ["orderId", "count"],
      },
      { count: "two", buyer: {} },
    );
    expect(message).toContain(
      "Missing: /orderId, /buyer/a~1b~0c, /buyer/id. Invalid: /count (type).",
    );
    expect(paths(issues)).toEqual(
      expect.arrayContaining(["/orderId required", "/buyer/id required", "/count type"]),
    );
  });

  it("has its missing fields named first also after a hundred other faults", async () => {
    const unexpected = Array.from({ length: 150 }, (_, index) => [`field${index}`, index]);
    const { message } = await refusal(
      {
        type: "object",
        properties: {
          first: { type: "object", additionalProperties: false },
          second: { type: "object", required: ["orderId"] },
        },
      },
      { first: Object.fromEntries(unexpected), second: {} },
    );
    expect(message).toContain("Missing: /second/orderId.");
  });

  it.each([
    ["additionalProperties", { additionalProperties: false }],
    ["unevaluatedProperties", { unevaluatedProperties: false }],
  ])("has an unexpected field named by its own path (%s)", async (keyword, closed) => {
    const { message, issues } = await refusal(
      { type: "object", properties: { buyer: { type: "object", ...closed } } },
      { buyer: { admin: true } },
    );
    expect(paths(issues)).toEqual([`/buyer/admin ${keyword}`]);
    expect(message).toContain("/buyer/admin");
  });

  it("has faults found through references, also recursive ones, at their path in the input", async () => {
    const { issues } = await refusal(
      {
        $ref: "#/$defs/node",
        $defs: {
          node: {
            type: "object",
            properties: {
              name: text,
              children: { type: "array", items: { $ref: "#/$defs/node" } },
            },
            required: ["name"],
          },
        },
      },
      { name: "root", children: [{ name: "leaf" }, { name: 5, children: [{}] }] },
    );
    expect(paths(issues).sort()).toEqual([
      ...["/children/1/children/0/name required", "/children/1/name type"],
    ]);
  });

  it.each([[[]], ["text"], [5], [null], [true]])(
    "can be of another kind altogether: %j",
    async (input) => {
      const { issues, message } = await refusal({ type: "object" }, input);
      expect(paths(issues)).toEqual([" type"]);
      expect(message).toContain("the input itself (type)");
    },
  );

  it("can be missing altogether", async () => {
    const { host } = await openTab(orderTool());
    const call = host.tools.get("cancel_order")?.execute(undefined);
    await expect(call).rejects.toBeInstanceOf(ValidationError);
  });

  it("can have any number of faults, and costs only so much", async () => {
    const schema = { type: "object", properties: { list: { type: "array", items: text } } };
    const { issues, message } = await refusal(schema, { list: Array(100_000).fill(5) });
    expect(issues.length).toBeLessThanOrEqual(100);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  it("can't hide an own `__proto__` from a closed schema", async () => {
    const { host } = await openTab(orderTool());
    const input = JSON.parse('{ "orderId": "o-1", "__proto__": { "admin": true } }');
    await expect(host.tools.get("cancel_order")?.execute(input)).rejects.toMatchObject({
      issues: [{ path: "/__proto__", keyword: "additionalProperties" }],
    });
  });
});

describe("the schema", () => {
  it("is draft 2020-12", async () => {
    const check = compileWithAjv({
      type: "array",
      prefixItems: [text, { type: "integer" }],
      items: false,
      $defs: { unused: { $anchor: "here" } },
    });
    expect(check(["a", 1])).toEqual([]);
    expect(check(["a", 1, 2]).length).toBeGreaterThan(0);
    expect(check([1, 1]).length).toBeGreaterThan(0);
  });

  it("never changes the input: no defaults, no coercion", async () => {
    const { call } = await openTab(
      orderTool({
        inputSchema: {
          type: "object",
          properties: { orderId: text, note: { type: "string", default: "none" } },
        },
        execute: (input) => input,
      }),
    );
    await expect(call()).resolves.toEqual({ orderId: "o-1" });
    await expect(call(undefined, { orderId: 1 })).rejects.toBeInstanceOf(ValidationError);
  });

  it("takes no field away: neither for a branch that does not fit, nor beside another schema (C110, ajv-validator/ajv#2546; C112, ajv-validator/ajv#552)", async () => {
    const closed = (kind: string) => ({
      properties: { kind: { const: kind } },
      additionalProperties: false,
    });
    const { call } = await openTab(
      orderTool({
        inputSchema: {
          type: "object",
          allOf: [{ properties: { orderId: text } }, { properties: { note: text } }],
          oneOf: [closed("return"), { properties: { kind: { const: "cancel" } } }],
        },
        execute: (input) => input,
      }),
    );
    const input = { orderId: "o-1", kind: "cancel", note: "late", more: [1] };
    await expect(call(undefined, input)).resolves.toEqual(input);
  });

  it("treats `format` as an annotation, also one that nobody knows", () => {
    const check = compileWithAjv({ type: "string", format: "our-own" });
    expect(check("anything")).toEqual([]);
  });

  it("may have an $id that another tool's schema has too", () => {
    const $id = "https://example.com/order.json";
    expect(compileWithAjv({ $id, type: "string" })(5)).toHaveLength(1);
    expect(compileWithAjv({ $id, type: "number" })(5)).toEqual([]);
  });
});
