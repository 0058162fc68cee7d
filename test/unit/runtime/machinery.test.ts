import { afterEach, expect, it, vi } from "vitest";
import { TestJournal, TestStore } from "../../support/runtime.js";

afterEach(() => {
  vi.doUnmock("../../../src/idempotent.js");
  vi.resetModules();
});

it("a chunk that could not be loaded refuses the call before its hooks run, and the next call loads it", async () => {
  vi.resetModules();
  vi.doMock("../../../src/idempotent.js", () => {
    throw new TypeError("Failed to fetch dynamically imported module.");
  });
  const { guard } = await import("../../../src/index.js");
  const trace: string[] = [];
  const call = guard(() => "sent", {
    name: "send_note",
    inputSchema: { type: "object" },
    authorize: () => trace.push("authorize") > 0,
    idempotency: { key: () => "k", store: new TestStore(trace) },
    journal: { store: new TestJournal(trace, "profile") },
  });
  await expect(call({})).rejects.toThrow();
  expect(trace).toEqual([]);

  vi.doUnmock("../../../src/idempotent.js");
  await expect(call({})).resolves.toBe("sent");
  expect(trace).toContain("authorize");
});
