// Run by seeds.test.ts with `node --test`, on the library as it is packed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestProfile } from "signett/testing";

test("two tabs and one effect, without Vitest", async () => {
  const profile = createTestProfile();
  let effects = 0;
  for (const index of [0, 1]) {
    await profile
      .tab(index)
      .signett()
      .expose({
        name: "cancel_order",
        description: "Cancel the order.",
        inputSchema: { type: "object" },
        idempotency: { key: () => "17" },
        async execute(_input, { operation }) {
          await operation?.write({ started: true });
          effects += 1;
          return { receipt: effects };
        },
      });
  }
  const calls = [0, 1].map((index) => profile.tab(index).invoke("cancel_order"));
  assert.deepEqual(await Promise.all(calls), [{ receipt: 1 }, { receipt: 1 }]);
});
