import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputError } from "../../../src/index.js";
import { jsonBytes, jsonCopy } from "../../../src/output.js";

/** The same data after it has been a text: what a replay gets. */
const replayed = (value: unknown): unknown => {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
};

function refusal(output: unknown): OutputError {
  try {
    jsonCopy(output);
  } catch (error) {
    if (error instanceof OutputError) return error;
  }
  throw new Error("The output was accepted.");
}

describe("the copy of an output", () => {
  it("is what JSON makes of it, whatever it is", () => {
    const output = fc.anything({
      withBoxedValues: true,
      withDate: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(output, (value) => {
        expect(jsonCopy(value)).toStrictEqual(replayed(value));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, unknown, unknown]>([
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(Number.NaN), null],
    ["a URL", { at: new URL("https://example.com/") }, { at: "https://example.com/" }],
    ["an object with toJSON", [{ toJSON: (key: string) => `item ${key}` }], ["item 0"]],
    ["an object whose toJSON gives nothing", { a: { toJSON: () => undefined } }, {}],
    ["undefined at the top", undefined, undefined],
    ["undefined in an object", { a: undefined, b: 1 }, { b: 1 }],
    ["undefined in an array", [undefined, 1], [null, 1]],
    ["a hole in an array", Array(2), [null, null]],
    ["numbers that are none", [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ["a number object that is none", new Number(Number.NaN), null],
    ["a negative zero", -0, 0],
    ["one object in two places", Array(2).fill({ a: 1 }), [{ a: 1 }, { a: 1 }]],
    [
      "an instance of a class with plain fields",
      new (class Order {
        id = 1;
      })(),
      { id: 1 },
    ],
  ])("of %s", (_, output, copy) => {
    expect(jsonCopy(output)).toStrictEqual(copy);
  });

  it("is free of every reference to the output", () => {
    const output = { lines: [{ sku: "a" }] };
    const copy = jsonCopy(output);
    output.lines[0] = { sku: "b" };
    output.lines.push({ sku: "c" });
    expect(copy).toEqual({ lines: [{ sku: "a" }] });
  });

  it("keeps an own `__proto__` as data, and changes no prototype", () => {
    const output: unknown = JSON.parse('{ "__proto__": { "admin": true }, "a": 1 }');
    const copy = jsonCopy(output);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect(copy).not.toHaveProperty("admin");
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("lets an exception of the output's own code pass", () => {
    const failure = new RangeError("not loaded");
    const output = {
      get total(): number {
        throw failure;
      },
    };
    expect(() => jsonCopy(output)).toThrow(failure);
  });
});

describe("an output that is no JSON data", () => {
  const cycle: Record<string, unknown> = { name: "a" };
  cycle.parent = { children: [cycle] };

  it.each<[string, unknown, string]>([
    ["a function", () => {}, "a function"],
    ["a symbol", Symbol("s"), "a symbol"],
    ["a big integer", 5n, "a bigint"],
    ["a map", new Map(), "an object of type Map"],
    ["a set", new Set(), "an object of type Set"],
    ["an error", new Error("no"), "an object of type Error"],
    ["a promise", Promise.resolve(), "an object of type Promise"],
    ["bytes", new Uint8Array(2), "an object of type Uint8Array"],
    ["a regular expression", /a/, "an object of type RegExp"],
  ])("because of %s is refused with the path", (_, value, found) => {
    expect(refusal(value)).toMatchObject({ path: "", code: "output_not_serializable" });
    expect(refusal(value).message).toContain(`The output is ${found}`);
    expect(refusal({ rows: [0, { "a/b~c": value }] }).path).toBe("/rows/1/a~1b~0c");
  });

  it("because it contains itself is refused with the path, and is not walked for ever", () => {
    expect(refusal(cycle).path).toBe("/parent/children/0");
    const list: unknown[] = [];
    list.push([list]);
    expect(refusal(list).path).toBe("/0/0");
  });

  it("is refused without a word of its value", () => {
    expect(refusal({ card: Symbol("4111-1111") }).message).not.toContain("4111");
  });
});

describe("the size of an output", () => {
  it("is that of its JSON in UTF-8, and nothing for undefined", () => {
    expect(jsonBytes({ a: "ä€😀" })).toBe('{"a":""}'.length + 2 + 3 + 4);
    expect(jsonBytes(undefined)).toBe(0);
  });

  it("is unknown where there is no JSON", () => {
    expect(jsonBytes(5n)).toBeUndefined();
  });
});
