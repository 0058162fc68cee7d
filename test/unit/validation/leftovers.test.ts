import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createSignett, type InputCheck } from "../../../src/index.js";
import { ajvValidator, interpretedValidator } from "../../../src/validation/index.js";
import { TestHost } from "../../support/runtime.js";
import { orderTool } from "../runtime/tab.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it.each([
  ["Ajv", ajvValidator],
  ["the interpreter", interpretedValidator],
])(
  "1,000 tools that came and went leave no compiled schema of %s behind (C104, ajv-validator/ajv#1413; C106, ajv-validator/ajv#2557)",
  async (_, validator) => {
    const checks: WeakRef<InputCheck>[] = [];
    const host = new TestHost();
    const signett = createSignett({
      modelContext: host,
      validator: {
        async compile(schema) {
          const check = await validator.compile(schema);
          checks.push(new WeakRef(check));
          return check;
        },
      },
    });
    for (let round = 0; round < 1_000; round++) {
      const tool = await signett.expose(orderTool());
      tool.dispose();
    }
    // References taken in this turn keep what they refer to until the next.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(checks).toHaveLength(1_000);
    expect(checks.filter((check) => check.deref()).length).toBeLessThan(5);
  },
  60_000,
);
