import { afterEach, describe, expect, it, vi } from "vitest";
import { createSignett, guard, type InputCheck, type SignettOptions } from "../../../src/index.js";
import { shared } from "../../../src/shared.js";
import { ajvValidator, interpretedValidator } from "../../../src/validation/index.js";
import { TestHost } from "../../support/runtime.js";
import { openTab, order, orderTool, untyped } from "../runtime/tab.js";

/** A page whose policy forbids code from text, and how often it was tried. */
function strictPage() {
  const reported = vi.fn();
  const construct = () => {
    reported();
    throw new EvalError("refused by the policy");
  };
  vi.stubGlobal("Function", new Proxy(Function, { construct }));
  return reported;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  delete shared().forbidsCode;
});

const invalid = { orderId: "", extra: 1 };
const issues = {
  issues: [
    { path: "/extra", keyword: "additionalProperties", message: "is not allowed" },
    { path: "/orderId", keyword: "minLength", message: "must have at least 1 characters" },
  ],
};

describe("on a page that forbids code from text", () => {
  it("tools work without any choice, and one warning says how to choose", async () => {
    const reported = strictPage();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const host = new TestHost();
    const signett = createSignett({ modelContext: host });
    await Promise.all(
      ["first", "second", "third"].map((name) => signett.expose({ ...orderTool(), name })),
    );
    await signett.expose({ ...orderTool(), name: "fourth" });
    expect(reported).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toContain("interpretedValidator");
    await expect(host.tools.get("fourth")?.execute(invalid)).rejects.toMatchObject(issues);
  });

  it("a schema that is wrong is still refused for what is wrong", async () => {
    strictPage();
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await expect(openTab(orderTool({ inputSchema: { type: "no" } }))).rejects.toThrow("/type");
  });

  it("nothing is tried where the interpreter was chosen", async () => {
    const reported = strictPage();
    const { call } = await openTab(orderTool(), { validator: interpretedValidator });
    await expect(call(undefined, invalid)).rejects.toMatchObject(issues);
    await expect(call()).resolves.toMatchObject({ status: "cancelled" });
    expect(reported).not.toHaveBeenCalled();
  });

  it("Ajv is refused by name where it was chosen", async () => {
    strictPage();
    const exposing = openTab(orderTool(), { validator: ajvValidator });
    await expect(exposing).rejects.toThrow("must allow 'unsafe-eval' in script-src");
  });
});

describe("a validator of one's own", () => {
  const never =
    (path: string): InputCheck =>
    () => [{ path, keyword: "own", message: "never" }];
  const refused = { issues: [{ path: "/own", keyword: "own" }] };

  it("compiles the schemas of an interface's tools", async () => {
    const compile = vi.fn(() => never("/own"));
    const { call } = await openTab(orderTool(), { validator: { compile } });
    expect(compile).toHaveBeenCalledWith(orderTool().inputSchema);
    await expect(call()).rejects.toMatchObject(refused);
  });

  it("compiles the schema of a guarded function", async () => {
    const { name, inputSchema } = orderTool();
    const validator = { compile: () => never("/own") };
    const guarded = guard(() => "done", { name, inputSchema, validator });
    await expect(guarded(order)).rejects.toMatchObject(refused);
  });

  it("that throws keeps the tool from being exposed", async () => {
    const compile = () => {
      throw new Error("no such dialect");
    };
    await expect(openTab(orderTool(), { validator: { compile } })).rejects.toThrow(
      'Tool "cancel_order": `inputSchema` does not compile: no such dialect',
    );
  });
});

describe("a tool's own `validate`", () => {
  const options: SignettOptions<undefined> = {
    validator: {
      compile() {
        throw new Error("The schema was compiled.");
      },
    },
  };

  it("decides in place of the schema, which is not compiled", async () => {
    const validate = vi.fn<InputCheck>(() => []);
    const { call } = await openTab(orderTool({ validate }), options);
    await expect(call()).resolves.toMatchObject({ status: "cancelled" });
    expect(validate).toHaveBeenCalledWith(order);
  });

  it("that answers with a boolean lets nothing pass", async () => {
    const { call } = await openTab(orderTool({ validate: untyped(() => false) }), options);
    await expect(call()).rejects.toThrow('"cancel_order": `validate` must return a list of issues');
  });

  it("must be a function", async () => {
    await expect(openTab(orderTool({ validate: untyped({}) }), options)).rejects.toThrow(
      'Tool "cancel_order": `validate` must be a function',
    );
  });
});
