import { describe, expectTypeOf, test } from "vitest";
import { createSignett, type Registration } from "../../src/index.js";

const host = { registerTool: async () => {} };
const surface = createSignett<{ accountId: string }>({
  modelContext: host,
  context: () => ({ accountId: "a" }),
});

describe("what `expose` infers", () => {
  test("the input from a literal schema, in hooks before and after `execute`", async () => {
    const registration = await surface.expose({
      name: "send_note",
      description: "Send one short note.",
      inputSchema: {
        type: "object",
        properties: {
          text: { type: "string" },
          copies: { type: "integer" },
          tags: { type: "array", items: { enum: ["a", "b"] } },
        },
        required: ["text"],
      },
      authorize: ({ input, context }) => {
        expectTypeOf(input).toEqualTypeOf<{
          text: string;
          copies?: number;
          tags?: ("a" | "b")[];
        }>();
        expectTypeOf(context).toEqualTypeOf<{ accountId: string }>();
        return true;
      },
      execute: ({ text }, { signal }) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return { sent: 1 };
      },
      verify: ({ output }) => {
        expectTypeOf(output).toEqualTypeOf<{ sent: number }>();
        return true;
      },
    });
    expectTypeOf(registration).toEqualTypeOf<Registration>();
  });

  test("the input from the handler's annotation", async () => {
    const inputSchema: object = { type: "object" };
    await surface.expose({
      name: "find_note",
      description: "Find one note by its id.",
      inputSchema,
      execute: ({ id }: { id: string }) => ({ id }),
      verify: ({ input, output }) => {
        expectTypeOf(input).toEqualTypeOf<{ id: string }>();
        expectTypeOf(output).toEqualTypeOf<{ id: string }>();
        return true;
      },
    });
  });

  test("an error where the handler reads what the schema does not have", async () => {
    await surface.expose({
      name: "read_note",
      description: "Read one note by its number.",
      inputSchema: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
      // @ts-expect-error there is no such property
      execute: ({ title }, { signal }) => [title, signal.aborted],
    });
  });
});
