import { describe, expect, test } from "vitest";
import { createSignett, guard, type Tool, ValidationError } from "../../../src/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { orderTool, untyped } from "../runtime/tab.js";

const expose = (tool: Tool<never, undefined, unknown>) =>
  createSignett({ modelContext: createWebMcpTestHarness().modelContext }).expose(tool);

describe("a definition from plain JavaScript", () => {
  test("is refused by its field when `confirm` is null", async () => {
    await expect(expose(orderTool({ confirm: untyped(null) }))).rejects.toThrow(
      'Tool "cancel_order": `confirm.mode`',
    );
  });

  test("is refused by its field when reading its schema throws what is no error", async () => {
    const inputSchema = {
      type: "object",
      get properties() {
        throw "not an error";
      },
    };
    await expect(expose(orderTool({ inputSchema }))).rejects.toThrow(
      'Tool "cancel_order": `inputSchema` does not compile: not an error',
    );
  });
});

test("an input whose toJSON throws is invalid input, and its own error reaches nobody", async () => {
  const echo = guard((input: object) => input, { name: "echo", inputSchema: { type: "object" } });
  const input = {
    toJSON: () => {
      throw new Error("a secret");
    },
  };
  const error = await echo(input).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({ issues: [{ path: "", keyword: "type" }] });
  expect(String(error)).not.toContain("secret");
});
