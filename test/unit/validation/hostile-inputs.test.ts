import { validate } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { ValidationError } from "../../../src/index.js";
import { compileWithAjv } from "../../../src/validation/ajv.js";
import { interpret } from "../../../src/validation/interpreted.js";
import { interpretedFaults } from "../../../src/validation/interpreted-faults.js";
import { firstFaults } from "../../../src/validation/many-faults.js";
import type { PreparedSchema } from "../../../src/validation/prepare.js";
import { precompiled } from "../../validation/precompiled.js";
import { openTab, orderTool } from "../runtime/tab.js";

const nested = (levels: number) =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), "end");

/** What a tool that takes any object says to an input. */
async function verdict(input: unknown): Promise<unknown> {
  const { host } = await openTab(
    orderTool({ inputSchema: { type: "object" }, execute: () => "accepted" }),
  );
  const { execute } = host.tools.get("cancel_order") ?? {};
  return execute?.(input).catch((error: unknown) => error);
}

describe("an input", () => {
  it("may be 128 levels deep, and no deeper", async () => {
    expect(await verdict(nested(128))).toBe("accepted");
    const error = await verdict(nested(129));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ issues: [{ path: "", keyword: "depth" }] });
  });

  it("deeper than any stack ends in a verdict", async () => {
    expect(await verdict(nested(200_000))).toMatchObject({ issues: [{ keyword: "depth" }] });
  });

  it("that contains itself, also many times, ends in a verdict", async () => {
    const input: Record<string, unknown> = {};
    for (const key of ["a", "b", "c"]) input[key] = [input, input];
    expect(await verdict(input)).toMatchObject({ issues: [{ keyword: "depth" }] });
  });

  it("can't have names that are no text", async () => {
    const issues = [{ path: "", keyword: "type", message: "must have names of Unicode text" }];
    expect(await verdict({ list: [{ "\ud800": 1 }] })).toMatchObject({ issues });
  });
});

describe.each([
  ["Ajv", compileWithAjv],
  ["precompiled code", precompiled],
  ["the interpreter", interpret],
])("%s", (_, compile) => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i]));
  const closed = { type: "object", additionalProperties: false };

  it("judges 100,000 fields, wanted or not", () => {
    expect(compile({ additionalProperties: { type: "integer" } })(fields)).toEqual([]);
    const issues = compile(closed)(fields);
    expect(issues).toHaveLength(100);
    expect(issues[0]).toMatchObject({ path: "/field0", keyword: "additionalProperties" });
  });

  it("judges 100,000 fields below others, with the other faults beside them", () => {
    const check = compile({
      required: ["id"],
      properties: { inner: { $ref: "#/$defs/inner" } },
      $defs: { inner: { ...closed, required: ["name"] } },
    });
    const issues = check({ inner: fields });
    expect(issues).toHaveLength(100);
    expect(issues[0]).toMatchObject({ path: "/id", keyword: "required" });
  });

  it("judges 100,000 items", () => {
    const items = Array.from({ length: 100_000 }, (_, i) => i);
    expect(compile({ items: { type: "integer" } })(items)).toEqual([]);
    expect(compile({ items: { type: "string" } })(items)).toHaveLength(100);
  });

  it("compares up to 2,000 items with each other, and takes no more", () => {
    const items = (length: number) => Array.from({ length }, (_, id) => ({ id }));
    const check = compile({ uniqueItems: true });
    expect(check(items(2_000))).toEqual([]);
    expect(check([...items(1_999), { id: 0 }])).toMatchObject([
      { path: "", keyword: "uniqueItems" },
    ]);
    expect(check(items(100_000))).toMatchObject([{ path: "", keyword: "maxItems" }]);
  });

  it.each(["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"])(
    "takes a field named %s for what it is",
    (name) => {
      const input = JSON.parse(`{ "${name}": { "a": 1 } }`);
      const extra = (keyword: string) => [{ path: `/${name}`, keyword, message: "is not allowed" }];
      expect(compile(closed)(input)).toEqual(extra("additionalProperties"));
      const dynamic = { anyOf: [{ properties: { a: true } }], unevaluatedProperties: false };
      expect(compile(dynamic)(input)).toEqual(extra("unevaluatedProperties"));
      expect(compile({ required: [name] })({})).toMatchObject([{ path: `/${name}` }]);
      expect(compile({ enum: [JSON.parse(`{ "${name}": 1 }`), {}] })(input)).toHaveLength(1);
      expect(compile({ const: input })(input)).toEqual([]);
      const described = JSON.parse(`{ "properties": { "${name}": { "type": "string" } } }`);
      expect(compile({ ...closed, ...described })(input)).toMatchObject([{ keyword: "type" }]);
    },
  );

  it("keeps nothing of an input", () => {
    const check = compile(closed);
    expect(check({ secret: 1 })).toHaveLength(1);
    expect(check({})).toEqual([]);
  });
});

describe("the interpreter, with more faults than it can pass on,", () => {
  const schema: PreparedSchema = {
    properties: { a: { items: { type: "string" }, minItems: 2_000 }, b: { required: ["c"] } },
  };
  const faults = (a: readonly unknown[]) =>
    firstFaults({ a, b: {} }, (input) =>
      interpretedFaults(schema)(validate(input, schema, "2020-12", undefined, false).errors),
    );

  it("names those of the first entries, and no fault of cutting the rest off", () => {
    const found = faults(Array(2_000).fill(1)).filter(({ keyword }) => keyword !== "type");
    expect(found).toEqual([{ path: "/b/c", keyword: "required" }]);
    expect(faults(Array(2_000).fill(1))).toHaveLength(1_001);
  });

  it("says so where those have none", () => {
    const fields = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`field${index}`, 1]),
    );
    const find = (input: unknown) =>
      Object.keys(Object(input)).length < 2_000 ? [{ path: "", keyword: "minProperties" }] : [];
    expect(firstFaults(fields, find)).toEqual([{ path: "", keyword: "faults" }]);
  });

  it("does so when the engine's arguments overflow, and lets every other error pass", () => {
    const failingOnce = (error: Error) => {
      const errors = [error];
      const ownKeys = () => {
        const [thrown] = errors.splice(0);
        if (thrown) throw thrown;
        return [];
      };
      return new Proxy({}, { ownKeys });
    };
    const check = interpret({ required: ["a"], minProperties: 0 });
    expect(check(failingOnce(new RangeError()))).toMatchObject([{ path: "/a" }]);
    expect(() => check(failingOnce(new TypeError("a trap")))).toThrow("a trap");
  });
});
