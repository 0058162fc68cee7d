import { describe, expect, it, vi } from "vitest";
import { createSignett, type Observer, type SignettOptions } from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import { coordinated, type OrderTool, orderTool, untyped } from "./tab.js";

const { store, journal, key } = coordinated();
const profile = { idempotency: store, journal };
const idempotent = { idempotency: { key, store }, journal: { store: journal } };

/** Exposes a tool with one part replaced by anything, and tells what came of it. */
async function expose(parts: object, options: SignettOptions<undefined> = {}) {
  const host = new TestHost();
  const observe = vi.fn<Observer>();
  const signett = createSignett({ modelContext: host, observe, ...options });
  const tool = untyped<OrderTool>({ ...orderTool(), ...parts });
  const exposing = signett.expose(tool);
  await exposing.catch(() => {});
  return { exposing, host, signett, stages: observe.mock.calls.map(([{ stage }]) => stage) };
}

const positive = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, 2 ** 31];
const field = (name: string, ...values: unknown[]): [string, object][] =>
  values.map((value) => [name, { [name]: value }]);

const refused: [string, object][] = [
  ...field("name", "", "a b", "é", "a/b", "a".repeat(129), 5, undefined),
  ...field("description", "", " \n\t", 5, undefined),
  ...field("inputSchema", undefined, null, true, "object", [], () => {}),
  ...field("inputSchema", { type: "objekt" }, { type: "object", required: "orderId" }),
  ...field("execute", undefined, {}, "cancel"),
  ...field("authorize", true),
  ...field("recover", "receipt"),
  ...field("verify", {}),
  ...field("verifyTimeoutMs", ...positive),
  ...field("outputBudgetBytes", ...positive),
  ...positive.map((waitTimeoutMs): [string, object] => [
    "idempotency.waitTimeoutMs",
    { ...idempotent, idempotency: { key, store, waitTimeoutMs } },
  ]),
  ["idempotency.key", { ...idempotent, idempotency: { store } }],
  ["idempotency.key", { ...idempotent, idempotency: { key: "order", store } }],
  ["idempotency.store", { idempotency: { key }, journal: { store: journal } }],
  ["journal.store", { idempotency: { key, store } }],
  ["journal.store", { idempotency: { key, store }, journal: {} }],
  ["journal.key", { ...idempotent, journal: { store: journal, key: "entry" } }],
  ["confirm", { confirm: { mode: "effect-only", request: () => true } }],
  ["confirm.mode", { confirm: { mode: "sometimes", request: () => true } }],
  ["confirm.request", { confirm: { mode: "always" } }],
];

describe("expose refuses, before anything is registered, a tool", () => {
  it.each(refused)("with a faulty `%s`: %j", async (name, parts) => {
    const { exposing, host, signett, stages } = await expose(parts);
    await expect(exposing).rejects.toBeInstanceOf(TypeError);
    await expect(exposing).rejects.toThrow(`\`${name}\``);
    if (name !== "name") await expect(exposing).rejects.toThrow('"cancel_order"');
    expect(host.tools.size).toBe(0);
    expect(signett.tools()).toEqual([]);
    expect(stages).toEqual(["registering", "registration_failed"]);
  });

  it.each([
    ["a nested fault", { type: "object", properties: { a: { items: [5] } } }],
    ["a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }],
    ["an unresolved $ref", { type: "object", properties: { a: { $ref: "#/$defs/gone" } } }],
    ["a $ref to another document", { type: "object", $ref: "https://example.com/order.json" }],
  ])("whose schema does not compile because of %s", async (_, inputSchema) => {
    const { exposing, host } = await expose({ inputSchema });
    await expect(exposing).rejects.toBeInstanceOf(TypeError);
    await expect(exposing).rejects.toThrow(/"cancel_order": `inputSchema` does not compile: ./);
    expect(host.tools.size).toBe(0);
  });

  it("with the profile's journal but a store of its own", async () => {
    const own = coordinated().store;
    const { exposing } = await expose({ idempotency: { key, store: own } }, { profile });
    await expect(exposing).rejects.toThrow("`journal.store`");
  });

  it("whose name is already exposed on this host, by whichever interface (C148, webmachinelearning/webmcp index.bs (0b676d2))", async () => {
    const first = await expose({});
    const again = [first.signett, createSignett({ modelContext: first.host })];
    for (const signett of again) {
      const exposing = signett.expose(orderTool({ description: "Another one." }));
      await expect(exposing).rejects.toBeInstanceOf(TypeError);
      await expect(exposing).rejects.toThrow(/"cancel_order": `name` is already exposed/);
    }
    expect(first.host.tools.get("cancel_order")?.description).toBe("Cancel one order.");
    expect(first.signett.tools()).toHaveLength(1);
  });

  it("whose name is being registered at this moment", async () => {
    const signett = createSignett({ modelContext: new TestHost() });
    const both = await Promise.allSettled([
      signett.expose(orderTool()),
      signett.expose(orderTool()),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

describe("expose accepts a tool", () => {
  it("whose name, limits and schema are at their bounds", async () => {
    const { exposing } = await expose({
      name: `${"a".repeat(120)}_.-Z9bcd`,
      verifyTimeoutMs: 1,
      outputBudgetBytes: 2 ** 31 - 1,
      inputSchema: {
        $ref: "#/$defs/tree",
        $defs: { tree: { type: "object", properties: { child: { $ref: "#/$defs/tree" } } } },
      },
    });
    await expect(exposing).resolves.toMatchObject({ status: "registered" });
  });

  it("that needs only a key where a profile is given", async () => {
    const { exposing } = await expose(
      { idempotency: { key }, confirm: { mode: "effect-only", request: () => true } },
      { profile },
    );
    await expect(exposing).resolves.toMatchObject({ name: "cancel_order" });
  });

  it("with the same name on another host, and again after a refusal", async () => {
    const { host, signett } = await expose({ description: "" });
    await expect(signett.expose(orderTool())).resolves.toMatchObject({ status: "registered" });
    expect([...host.tools.keys()]).toEqual(["cancel_order"]);
    await expect((await expose({})).exposing).resolves.toMatchObject({ status: "registered" });
  });
});
