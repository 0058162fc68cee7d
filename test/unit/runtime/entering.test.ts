import { describe, expect, it, vi } from "vitest";
import { AuthorizationError, ConfirmationError, createSignett } from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import {
  cancelled,
  coordinated,
  leaving,
  never,
  type Order,
  openTab,
  order,
  orderTool,
  untyped,
} from "./tab.js";

describe("1. a caller who has left before the call", () => {
  it("is rejected with its own reason, and nothing else happens", async () => {
    const { signal, reason, leave } = leaving();
    leave();
    const authorize = vi.fn(() => true);
    const { trace, tab } = coordinated();
    const { call, events } = await tab({ authorize });
    await expect(call(signal)).rejects.toBe(reason);
    expect(events).toEqual([]);
    expect(trace).toEqual([]);
    expect(authorize).not.toHaveBeenCalled();
  });
});

describe("2. the input", () => {
  it("is checked before any hook is asked", async () => {
    const authorize = vi.fn(() => true);
    const execute = vi.fn();
    const { call, stages } = await openTab(orderTool({ authorize, execute }));
    await expect(call(undefined, {})).rejects.toMatchObject({ code: "invalid_input" });
    expect(stages()).toEqual(["started", "failed"]);
    expect(authorize).not.toHaveBeenCalled();
    expect(execute).not.toHaveBeenCalled();
  });

  it("goes on as a private copy, so that nobody can change it after it was checked", async () => {
    const input = { orderId: "o-1", lines: [{ sku: "a" }] };
    const execute = vi.fn((given: unknown) => given);
    const { host, registration } = await openTab(
      orderTool({
        inputSchema: { type: "object" },
        execute,
        authorize: () => {
          input.orderId = "o-2";
          input.lines.push({ sku: "b" });
          return true;
        },
      }),
    );
    const executor = host.tools.get(registration.name);
    const expected = { orderId: "o-1", lines: [{ sku: "a" }] };
    await expect(executor?.execute(input)).resolves.toEqual(expected);
    expect(execute.mock.calls[0]?.[0]).toEqual(expected);
  });

  it("that is no JSON data is invalid, and the path is named (C042, GoogleChromeLabs/comlink#509)", async () => {
    const { host } = await openTab(orderTool({ inputSchema: {} }));
    const call = host.tools.get("cancel_order")?.execute({ lines: [{ render: () => {} }] });
    await expect(call).rejects.toMatchObject({
      code: "invalid_input",
      issues: [{ path: "/lines/0/render", keyword: "type" }],
    });
  });
});

describe("3. context and authorization", () => {
  it("read the context once and give the same one to every hook and to the handler", async () => {
    const session = { user: "u-1" };
    const context = vi.fn((_: { signal: AbortSignal }) => session);
    const seen: unknown[] = [];
    const see = (invocation: { context: unknown }) => {
      seen.push(invocation.context);
      return true;
    };
    const host = new TestHost();
    const { name, description, inputSchema } = orderTool();
    await createSignett({ context, modelContext: host }).expose({
      ...{ name, description, inputSchema },
      authorize: see,
      confirm: see,
      verify: see,
      execute: (_: Order, invocation: { context: unknown }) => see(invocation),
    });
    const { signal } = new AbortController();
    await host.invoke(name, order, { signal });
    expect(context).toHaveBeenCalledExactlyOnceWith({ signal });
    expect(seen).toEqual([session, session, session, session]);
  });

  it("keep the identity of an exception that the context throws", async () => {
    const failure = new RangeError("no session");
    const host = new TestHost();
    const context = () => Promise.reject(failure);
    await createSignett({ context, modelContext: host }).expose(orderTool());
    await expect(host.invoke("cancel_order", order)).rejects.toBe(failure);
  });

  it("end for a caller who leaves while the context is read", async () => {
    const { signal, reason, leave } = leaving();
    const host = new TestHost();
    const execute = vi.fn();
    const context = () => {
      leave();
      return never();
    };
    await createSignett({ context, modelContext: host }).expose(orderTool({ execute }));
    await expect(host.invoke("cancel_order", order, { signal })).rejects.toBe(reason);
    expect(execute).not.toHaveBeenCalled();
  });

  it("end for a caller who leaves while authorization is asked, and leave no record behind", async () => {
    const { signal, reason, leave } = leaving();
    const { trace, tab } = coordinated();
    const { call, stages } = await tab({
      authorize: () => {
        leave();
        return never();
      },
    });
    await expect(call(signal)).rejects.toBe(reason);
    expect(stages()).toEqual(["started", "validated", "failed"]);
    expect(trace).toEqual([]);
  });

  it("deny with the hook's own reason, and leave no record behind", async () => {
    const { trace, tab } = coordinated();
    const { call, stages } = await tab({
      authorize: () => ({ allowed: false, reason: "Not your order" }),
    });
    const denial = call();
    await expect(denial).rejects.toBeInstanceOf(AuthorizationError);
    await expect(denial).rejects.toThrow("Not your order");
    expect(stages()).toEqual(["started", "validated", "failed"]);
    expect(trace).toEqual([]);
  });

  it.each([undefined, null, 1, "true", {}, { allowed: 1 }])(
    "take %j for a denial: only true is a yes",
    async (decision) => {
      const { call } = await openTab(orderTool({ authorize: () => untyped(decision) }));
      await expect(call()).rejects.toBeInstanceOf(AuthorizationError);
    },
  );

  it("are asked again before a replay, so that a stored answer is not for everyone", async () => {
    let allowed = true;
    const { trace, tab } = coordinated();
    const { call } = await tab({ authorize: () => allowed });
    await call();
    allowed = false;
    trace.length = 0;
    await expect(call()).rejects.toBeInstanceOf(AuthorizationError);
    expect(trace).toEqual([]);
  });
});

describe("4. confirmation of every call", () => {
  it.each([
    ["a function", (request: () => boolean) => request],
    ["always", (request: () => boolean) => ({ mode: "always" as const, request })],
  ])("as %s is asked before the key is claimed, also before a replay", async (_, confirmBy) => {
    const { trace, tab } = coordinated();
    const request = vi.fn(() => {
      trace.push("confirm");
      return true;
    });
    const { call, stages } = await tab({ confirm: confirmBy(request) });
    await call();
    expect(trace.slice(0, 2)).toEqual(["confirm", "begin"]);
    expect(stages().slice(2, 5)).toEqual(["authorized", "confirmation_requested", "confirmed"]);
    await expect(call()).resolves.toEqual(cancelled);
    expect(request).toHaveBeenCalledTimes(2);
  });

  it("ends a declined call with the person's reason, and leaves no record behind", async () => {
    const { trace, tab } = coordinated();
    const { call, stages } = await tab({
      confirm: () => ({ confirmed: false, reason: "Changed my mind" }),
    });
    const declined = call();
    await expect(declined).rejects.toBeInstanceOf(ConfirmationError);
    await expect(declined).rejects.toThrow("Changed my mind");
    expect(stages().slice(3)).toEqual(["confirmation_requested", "declined", "failed"]);
    expect(trace).toEqual([]);
  });

  it("ends for a caller who leaves while the dialog is open", async () => {
    const { signal, reason, leave } = leaving();
    const { trace, tab } = coordinated();
    const { call, stages } = await tab({
      confirm: () => {
        leave();
        return never();
      },
    });
    await expect(call(signal)).rejects.toBe(reason);
    expect(stages().slice(3)).toEqual(["confirmation_requested", "failed"]);
    expect(trace).toEqual([]);
  });
});

describe("5. the key", () => {
  it.each([
    ["empty", ""],
    ["longer than 1,024 characters", "k".repeat(1_025)],
    ["no text", 5],
    ["missing", undefined],
  ])("that is %s is refused before anything is claimed", async (_, value) => {
    const { trace, store, tab } = coordinated();
    const { call } = await tab({ idempotency: { key: () => untyped(value), store } });
    const refused = call();
    await expect(refused).rejects.toBeInstanceOf(TypeError);
    await expect(refused).rejects.toThrow(/cancel_order.*idempotency\.key.*Nothing was executed/);
    expect(trace).toEqual([]);
  });

  it("can have 1,024 characters, and reaches the store as it is", async () => {
    const { store, tab } = coordinated();
    const text = "k".repeat(1_024);
    const { call } = await tab({ idempotency: { key: async () => text, store } });
    await call();
    expect(new Set(store.calls.map(({ key }) => key))).toEqual(new Set([text]));
  });

  it("of the journal is held to the same rules", async () => {
    const { trace, journal, tab } = coordinated();
    const { call } = await tab({ journal: { store: journal, key: () => "" } });
    await expect(call()).rejects.toThrow(/journal\.key/);
    expect(trace).toEqual([]);
  });

  it("of the journal is where its entries are, and the store is told only if all tabs can read them", async () => {
    for (const scope of ["tab", "profile"] as const) {
      const { journal, store, tab } = coordinated({ scope });
      const { call } = await tab({ journal: { store: journal, key: () => "entry" } });
      await call();
      expect(new Set(journal.calls.map(({ key }) => key))).toEqual(new Set(["entry"]));
      expect(store.said("begin")?.journalKey).toBe(scope === "tab" ? undefined : "\nentry");
    }
  });

  it("is not asked for by a caller who has left, and claims nothing", async () => {
    const { signal, reason, leave } = leaving();
    const { trace, store, tab } = coordinated();
    const key = () => {
      leave();
      return "k";
    };
    const { call } = await tab({ idempotency: { key, store } });
    await expect(call(signal)).rejects.toBe(reason);
    expect(trace).toEqual([]);
  });

  it("keeps the identity of an exception that it throws", async () => {
    const failure = new Error("no account");
    const { store, tab } = coordinated();
    const { call } = await tab({ idempotency: { key: () => Promise.reject(failure), store } });
    await expect(call()).rejects.toBe(failure);
  });
});
