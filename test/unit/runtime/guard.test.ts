import { describe, expect, it, vi } from "vitest";
import { createSignett, type GuardOptions, guard, type Observer } from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import {
  cancelled,
  coordinated,
  KEY,
  leaving,
  type Order,
  order,
  orderTool,
  untyped,
  writing,
} from "./tab.js";

const { inputSchema } = orderTool();
const cancel = writing(() => cancelled);

describe("a guarded function", () => {
  it("goes through the whole pipeline, and is registered nowhere", async () => {
    const host = new TestHost();
    vi.stubGlobal("document", { modelContext: host });
    try {
      const observe = vi.fn<Observer>();
      const context = vi.fn(() => ({ user: "u-1" }));
      const guarded = guard((input: Order, told) => ({ ...input, ...told.context }), {
        ...{ name: "cancel_order", inputSchema, context, observe },
        authorize: ({ context: session }) => session.user === "u-1",
      });
      await expect(guarded(order)).resolves.toEqual({ orderId: "o-1", user: "u-1" });
      await expect(guarded({})).rejects.toMatchObject({ code: "invalid_input" });
      expect(observe.mock.calls.map(([{ stage }]) => stage)).toEqual([
        ...["started", "validated", "authorized", "executed", "succeeded", "started", "failed"],
      ]);
      expect(host.tools.size).toBe(0);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("shares keys and answers with the tools of the same store", async () => {
    const { trace, store, journal, key, tab } = coordinated({ joined: true });
    await (await tab()).call();
    trace.length = 0;
    const profile = { idempotency: store, journal };
    const idempotency = { key };
    const guarded = guard(cancel, { name: "cancel_order", inputSchema, profile, idempotency });
    await expect(guarded(order)).resolves.toEqual(cancelled);
    await expect(guarded({ orderId: "o-2" })).resolves.toEqual(cancelled);
    expect(trace).toEqual(["begin", "begin", "journal.write", "complete"]);
    expect(store.records.get(KEY)).toMatchObject({ state: "completed" });
  });

  it("gives an undefined output as it is, since no host stands between", async () => {
    const guarded = guard(() => undefined, { name: "cancel_order", inputSchema });
    await expect(guarded(order)).resolves.toBeUndefined();
  });

  it("hands on its caller's signal", async () => {
    const { signal, reason, leave } = leaving();
    const execute = vi.fn((_: Order, told: { signal: AbortSignal }) => told.signal === signal);
    const guarded = guard(execute, { name: "cancel_order", inputSchema });
    await expect(guarded(order, { signal })).resolves.toBe(true);
    leave();
    await expect(guarded(order, { signal })).rejects.toBe(reason);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["name", { name: "a b" }],
    ["inputSchema", { inputSchema: null }],
    ["verifyTimeoutMs", { verifyTimeoutMs: 0 }],
    ["idempotency.store", { idempotency: { key: () => "k" } }],
  ])("is refused when it is made for a faulty `%s`", (field, fault) => {
    const options = { name: "cancel_order", inputSchema, ...fault };
    const make = () => guard(cancel, untyped<GuardOptions<Order, undefined, unknown>>(options));
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`\`${field}\``);
  });

  it("refuses calls with a TypeError when its schema does not compile, and nothing runs", async () => {
    const execute = vi.fn();
    const guarded = guard(execute, { name: "cancel_order", inputSchema: { type: "objekt" } });
    await expect(guarded(order)).rejects.toThrow(/"cancel_order": `inputSchema` does not compile/);
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("a tool with the name of a guarded function", () => {
  it("can be exposed, since the function has no place in the document", async () => {
    guard(cancel, { name: "cancel_order", inputSchema });
    const signett = createSignett({ modelContext: new TestHost() });
    await expect(signett.expose(orderTool())).resolves.toMatchObject({ status: "registered" });
  });
});
