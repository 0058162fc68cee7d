import { describe, expect, test } from "vitest";
import { createSignett } from "../../../src/index.js";
import type { ModelContextTool } from "../../../src/model-context.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";

const expectedProducts = [{ id: "boots-1", name: "Boots" }];
const searchProducts = async (query: string, _: { signal: AbortSignal }) =>
  expectedProducts.filter(({ name }) => name.toLowerCase() === query);

const searchProductsTool = {
  name: "search_products",
  description: "Find products matching one query and return stable product IDs.",
  inputSchema: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 80,
        description: "Words from the product name.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
  execute: ({ query }: { query: string }, { signal }: { signal: AbortSignal }) =>
    searchProducts(query, { signal }),
};

/** A tool as a host is given it. */
const toolNamed = (name: string, execute: ModelContextTool["execute"] = async () => name) => ({
  name,
  description: "Says its own name.",
  inputSchema: { type: "object" },
  execute,
});

describe("with the runtime", () => {
  test("a tool is found, called and unregistered as in the core concepts seed", async () => {
    const harness = createWebMcpTestHarness();
    const testSignett = createSignett({ modelContext: harness.modelContext });
    const registration = await testSignett.expose(searchProductsTool);

    expect(harness.tools().map(({ name }) => name)).toContain("search_products");
    await expect(harness.invoke("search_products", { query: "boots" })).resolves.toEqual(
      expectedProducts,
    );

    registration.dispose();
    expect(harness.tools()).toHaveLength(0);
  });

  test("an invalid input is refused by the tool, because hosts validate nothing", async () => {
    const harness = createWebMcpTestHarness();
    await createSignett({ modelContext: harness.modelContext }).expose(searchProductsTool);
    await expect(harness.invoke("search_products")).rejects.toMatchObject({
      code: "invalid_input",
      issues: [{ path: "/query", keyword: "required" }],
    });
  });

  test("a registration that is disposed in flight leaves nothing behind", async () => {
    const harness = createWebMcpTestHarness();
    const lifetime = new AbortController();
    const registering = harness.modelContext.registerTool(toolNamed("search_products"), {
      signal: lifetime.signal,
    });
    lifetime.abort();
    const again = harness.modelContext.registerTool(toolNamed("search_products"));
    await expect(registering).rejects.toMatchObject({ name: "AbortError" });
    await again;
    expect(harness.tools()).toHaveLength(1);
  });
});

describe("an invocation", () => {
  test("gives the tool a copy of the input that went through JSON, and a signal", async () => {
    const harness = createWebMcpTestHarness();
    const received: unknown[] = [];
    await harness.modelContext.registerTool(
      toolNamed("keep", async (input, options) => {
        received.push(input, options?.signal?.aborted);
      }),
    );
    const input = { at: new Date(0), absent: undefined };
    await harness.invoke("keep", input);
    expect(received).toEqual([{ at: "1970-01-01T00:00:00.000Z" }, false]);
    expect(received[0]).not.toHaveProperty("absent");
    await harness.invoke("keep");
    expect(received[2]).toEqual({});
    await expect(harness.invoke("keep", () => {})).rejects.toThrow("The input is a function");
  });

  test.for([undefined, null, "", 0, { nested: [true] }])(
    "gives the raw output %s",
    async (output) => {
      const harness = createWebMcpTestHarness();
      await harness.modelContext.registerTool(toolNamed("give", async () => output));
      expect(await harness.invoke("give")).toBe(output);
    },
  );

  test("rejects with the tool's own error", async () => {
    const harness = createWebMcpTestHarness();
    const error = new Error("the tool's own");
    await harness.modelContext.registerTool(
      toolNamed("fail", () => {
        throw error;
      }),
    );
    await expect(harness.invoke("fail")).rejects.toBe(error);
  });

  test("of an unknown tool says which tools there are", async () => {
    const harness = createWebMcpTestHarness();
    await expect(harness.invoke("nope")).rejects.toMatchObject({
      name: "NotFoundError",
      message: 'No tool "nope" is registered. Registered tools: none.',
    });
    await harness.modelContext.registerTool(toolNamed("first"));
    await harness.modelContext.registerTool(toolNamed("second"));
    await expect(harness.invoke("nope")).rejects.toThrow("Registered tools: first, second.");
  });

  test("that is aborted already rejects with the reason and calls nothing", async () => {
    const harness = createWebMcpTestHarness();
    const calls: unknown[] = [];
    await harness.modelContext.registerTool(toolNamed("count", async (input) => calls.push(input)));
    const reason = new Error("too late");
    const invoked = harness.invoke("count", {}, { signal: AbortSignal.abort(reason) });
    await expect(invoked).rejects.toBe(reason);
    expect(calls).toEqual([]);
  });

  test("that is aborted later ends as the tool ends it", async () => {
    const harness = createWebMcpTestHarness();
    const stop = new AbortController();
    await harness.modelContext.registerTool(
      toolNamed("finish", async (_, options) => {
        stop.abort("enough");
        return options?.signal?.reason;
      }),
    );
    expect(await harness.invoke("finish", {}, { signal: stop.signal })).toBe("enough");
  });
});

describe("a registration", () => {
  const refusals: [fault: string, tool: object, error: string][] = [
    ["no name", toolNamed(""), "InvalidStateError"],
    ["a name with a space", toolNamed("a b"), "InvalidStateError"],
    ["a name that is too long", toolNamed("a".repeat(129)), "InvalidStateError"],
    ["an empty description", { ...toolNamed("a"), description: "" }, "InvalidStateError"],
    ["no description", { ...toolNamed("a"), description: undefined }, "TypeError"],
    ["no function", { ...toolNamed("a"), execute: undefined }, "TypeError"],
  ];

  test.for(refusals)("with %s is refused as Chromium refuses it", async ([, tool, name]) => {
    const { modelContext, tools } = createWebMcpTestHarness();
    const registered = modelContext.registerTool(tool as ModelContextTool);
    await expect(registered).rejects.toMatchObject({ name });
    expect(tools()).toEqual([]);
  });

  test("with a circular schema is refused", async () => {
    const inputSchema: Record<string, unknown> = {};
    inputSchema.self = inputSchema;
    const { modelContext } = createWebMcpTestHarness();
    const registered = modelContext.registerTool({ ...toolNamed("a"), inputSchema });
    await expect(registered).rejects.toThrow(TypeError);
  });

  test("of a name that is taken is refused, and the first one stays", async () => {
    const harness = createWebMcpTestHarness();
    await harness.modelContext.registerTool(toolNamed("taken"));
    const second = harness.modelContext.registerTool(toolNamed("taken", async () => "second"));
    await expect(second).rejects.toMatchObject({ name: "InvalidStateError" });
    expect(await harness.invoke("taken")).toBe("taken");
  });

  test("with an aborted signal rejects with its reason", async () => {
    const { modelContext, tools } = createWebMcpTestHarness();
    const reason = new Error("unmounted");
    const registered = modelContext.registerTool(toolNamed("a"), {
      signal: AbortSignal.abort(reason),
    });
    await expect(registered).rejects.toBe(reason);
    expect(tools()).toEqual([]);
  });

  test("shows agents everything but the function, as a copy", async () => {
    const { modelContext, tools } = createWebMcpTestHarness();
    const annotations = { readOnlyHint: true, consequentialHint: false };
    await modelContext.registerTool(
      { ...toolNamed("a"), title: "Name", annotations },
      { exposedTo: ["https://agent.example"] },
    );
    const shown = {
      name: "a",
      title: "Name",
      description: "Says its own name.",
      inputSchema: { type: "object" },
      annotations,
      exposedTo: ["https://agent.example"],
    };
    expect(tools()).toEqual([shown]);
    for (const tool of tools()) tool.name = "changed";
    expect(tools()).toEqual([shown]);
  });
});
