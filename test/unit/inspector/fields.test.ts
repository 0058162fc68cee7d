import { describe, expect, test } from "vitest";
import { type Field, formOf } from "../../../src/inspector/model/fields.js";
import {
  type LeafField,
  listOf,
  objectOf,
  parsed,
  UnreadableInput,
  valueIn,
} from "../../../src/inspector/model/input.js";

/** The form's one argument. */
function only(schema: object | boolean, rest: object = {}): Field {
  const form = formOf({ type: "object", properties: { a: schema }, ...rest });
  if (form.kind !== "object" || !form.fields[0]) throw new Error("There is no argument.");
  return form.fields[0];
}

function leaf(schema: object, rest: object = {}): LeafField {
  const field = only(schema, rest);
  if (field.kind === "object" || field.kind === "list") throw new Error("It has controls inside.");
  return field;
}

describe("the form that a schema makes", () => {
  test("has a control for each argument, with its name, its words and whether it is needed", () => {
    expect(
      formOf({
        type: "object",
        properties: {
          "a/b": { type: "string", description: "Words.", default: "x" },
          n: { type: "integer", title: "Count", default: 3 },
        },
        required: ["n"],
      }),
    ).toMatchObject({
      kind: "object",
      path: "",
      fields: [
        {
          kind: "text",
          path: "/a~1b",
          name: "a/b",
          description: "Words.",
          required: false,
          initial: "x",
        },
        {
          kind: "number",
          path: "/n",
          description: "Count",
          required: true,
          initial: "3",
          integer: true,
        },
      ],
    });
  });

  test("lets a person choose where the schema does", () => {
    expect(only({ enum: ["x", 1] })).toMatchObject({
      kind: "choice",
      values: ["x", 1],
      initial: "",
    });
    expect(only({ const: "x" })).toMatchObject({ kind: "choice", values: ["x"] });
    expect(only({ type: "boolean", default: false })).toMatchObject({
      ...{ kind: "choice", values: [true, false], initial: "false" },
    });
    expect(only({ type: "null" })).toMatchObject({ kind: "choice", values: [null] });
  });

  test("gives long texts room, and numbers their kind", () => {
    expect(only({ type: "string", maxLength: 200 })).toMatchObject({ kind: "text", long: false });
    expect(only({ type: "string", maxLength: 201, default: 7 })).toMatchObject({
      long: true,
      initial: "",
    });
    expect(only({ type: "number" })).toMatchObject({ kind: "number", integer: false });
  });

  test("nests objects, also where only their properties say so, and makes items on demand", () => {
    expect(only({ properties: { b: { type: "string" } } })).toMatchObject({
      ...{ kind: "object", path: "/a", fields: [{ kind: "text", path: "/a/b" }] },
    });
    const list = only({ type: "array", items: { type: "number" } });
    if (list.kind !== "list") throw new Error("It is no list.");
    expect(list.item(2)).toMatchObject({ kind: "number", path: "/a/2", name: "", required: true });
  });

  test("follows references inside of the schema, and what is said beside them", () => {
    const $defs = {
      "x/y": { type: "string", description: "There." },
      loop: { $ref: "#/$defs/loop" },
    };
    expect(only({ $ref: "#/$defs/x~1y", description: "Here." }, { $defs })).toMatchObject({
      ...{ kind: "text", description: "Here." },
    });
    for (const $ref of ["#/$defs/none", "#/$defs/loop", "other.json", "#anchor"]) {
      expect(only({ $ref }, { $defs })).toMatchObject({ kind: "json" });
    }
  });

  test("of a schema that contains itself has an end", () => {
    const form = formOf({ type: "object", properties: { child: { $ref: "#" } } });
    let depth = 0;
    for (let field: Field | undefined = form; field?.kind === "object"; field = field.fields[0])
      depth += 1;
    expect(depth).toBeGreaterThan(3);
    expect(depth).toBeLessThan(20);
  });

  test("leaves to JSON what no control can express", () => {
    const schemas = [
      true,
      {},
      { type: ["string", "null"] },
      { type: "string", anyOf: [] },
      { type: "object" },
      { type: "array" },
      { default: { x: 1 } },
    ];
    for (const schema of schemas) expect(only(schema)).toMatchObject({ kind: "json" });
    expect(only({ default: { x: 1 } })).toMatchObject({ initial: '{"x":1}' });
    expect(only({ default: () => {} })).toMatchObject({ initial: "" });
  });
});

describe("what a control holds", () => {
  const needed = { required: ["a"] };

  test("is what the tool gets, and nothing where it is empty", () => {
    expect(valueIn(leaf({ type: "string" }), "")).toBeUndefined();
    expect(valueIn(leaf({ type: "string" }, needed), "")).toBe("");
    expect(valueIn(leaf({ type: "string" }), " x ")).toBe(" x ");
    expect(valueIn(leaf({ type: "number" }), " ")).toBeUndefined();
    expect(valueIn(leaf({ type: "number" }), "1.5")).toBe(1.5);
    expect(valueIn(leaf({ enum: ["x", 1] }), '"x"')).toBe("x");
    expect(valueIn(leaf({ enum: ["x", 1] }), "")).toBeUndefined();
    expect(valueIn(leaf({}), '{"x":[1]}')).toEqual({ x: [1] });
  });

  test("that does not fit goes on as it is, for the tool's own validation to refuse", () => {
    expect(valueIn(leaf({ type: "number" }), "many")).toBe("many");
    expect(valueIn(leaf({ type: "number" }), "Infinity")).toBe("Infinity");
  });

  test("that is no JSON is said to be none, at its place", () => {
    expect(() => valueIn(leaf({}), "{")).toThrow(UnreadableInput);
    expect(() => parsed("/a", "{")).toThrow(expect.objectContaining({ path: "/a" }));
  });

  test("leaves out optional objects and lists in which nothing was written", () => {
    const optional = { required: false };
    const required = { required: true };
    expect(objectOf(optional, [["a", undefined]])).toBeUndefined();
    expect(objectOf(required, [["a", undefined]])).toEqual({});
    expect(
      objectOf(optional, [
        ["a", 1],
        ["b", undefined],
      ]),
    ).toEqual({ a: 1 });
    expect(listOf(optional, [])).toBeUndefined();
    expect(listOf(required, [])).toEqual([]);
    expect(listOf(optional, [1])).toEqual([1]);
  });
});
