import { afterEach, expect, it, vi } from "vitest";
import { createSignett } from "../../../src/index.js";

afterEach(() => void vi.unstubAllGlobals());

it("a policy that forbids code from text is named as the fault, not the schema", async () => {
  function forbidden() {
    throw new EvalError("Refused to evaluate a string as JavaScript.");
  }
  vi.stubGlobal("Function", forbidden);
  const tool = {
    name: "read_clock",
    description: "Read the clock on the wall.",
    inputSchema: { type: "object" },
    execute: () => "noon",
  };
  await expect(createSignett().expose(tool)).rejects.toThrow(
    `Tool "read_clock": \`inputSchema\` can't be compiled: the page's policy must allow 'unsafe-eval' in script-src.`,
  );
});
