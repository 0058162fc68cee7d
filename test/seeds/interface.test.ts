import { assertToolReady, createSignett, type LifecycleEvent } from "signett";
import { createWebMcpTestHarness } from "signett/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { queries, searchProducts, searchProductsTool } from "./products.js";
import { cancelOrderInput, Shop } from "./shop.js";

/** The browser's own WebMCP, which the samples register with. */
let browser = createWebMcpTestHarness();

beforeEach(() => {
  browser = createWebMcpTestHarness();
  vi.stubGlobal("document", { modelContext: browser.modelContext });
  queries.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("core concepts", () => {
  test("The Signett interface: context is read once a call, events are observed, no WebMCP is warned about", async () => {
    const shop = new Shop();
    const currentSession = vi.fn(shop.currentSession);
    const events: LifecycleEvent[] = [];
    const recordLifecycleEvent = (event: LifecycleEvent) => events.push(event);

    const signett = createSignett({
      context: ({ signal }) => currentSession({ signal }),
      observe: (event) => recordLifecycleEvent(event),
      unsupported: "warn",
    });

    await signett.expose(searchProductsTool);
    await browser.invoke("search_products", { query: "boots" });
    expect(currentSession).toHaveBeenCalledTimes(1);
    expect(events.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(["registered", "started", "executed", "succeeded"]),
    );
    expect(JSON.stringify(events)).not.toMatch(/boots|a-1/);

    vi.stubGlobal("document", {});
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    await expect(signett.expose(searchProductsTool)).resolves.toMatchObject({
      status: "unsupported",
    });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("Tool definitions: metadata goes to the browser, invalid input stops before application code", async () => {
    const signett = createSignett();

    await signett.expose(searchProductsTool);

    expect(browser.tools()).toMatchObject([
      { name: "search_products", annotations: { readOnlyHint: true } },
    ]);
    for (const input of [{}, { query: "" }, { query: "boots", page: 2 }, "boots"]) {
      await expect(browser.invoke("search_products", input)).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
    expect(queries).toEqual([]);
    await expect(browser.invoke("search_products", { query: "boots" })).resolves.toEqual([
      { productId: "p-1", name: "Hiking boots" },
    ]);
  });

  test("Trusted context: a tool sees the session of the application, not of the agent", async () => {
    const { currentSession, getOrder, orders } = new Shop();

    type Session = {
      userId: string;
      accountId: string;
      scopes: string[];
    };

    const signett = createSignett<Session>({
      context: ({ signal }) => currentSession({ signal }),
    });

    await signett.expose({
      name: "get_order",
      description: "Read one order by its ID.",
      inputSchema: cancelOrderInput,
      execute: ({ orderId }, { context, signal }) =>
        getOrder(orderId, { accountId: context.accountId, signal }),
    });

    orders.set("99", { orderId: "99", accountId: "a-2", status: "open" });
    const read = (orderId: string) => browser.invoke("get_order", { orderId, operationId: "op" });
    await expect(read("17")).resolves.toEqual(orders.get("17"));
    await expect(read("99")).resolves.toBeNull();
  });

  test("Registration and lifecycle: dispose takes the tool away, and may be called again", async () => {
    const signett = createSignett();

    const registration = await signett.expose(searchProductsTool);
    expect(registration).toMatchObject({ name: "search_products", status: "registered" });

    // Logout, navigation, or component teardown:
    registration.dispose();

    registration.dispose();
    expect(registration.status).toBe("disposed");
    expect(browser.tools()).toEqual([]);
  });

  test("Observation: stages and timings are told, and an observer that fails changes nothing", async () => {
    const metrics = {
      record: vi.fn((_name: string, _value: number, _labels: { name: string; stage: string }) => {
        throw new Error("no network");
      }),
    };

    const signett = createSignett({
      observe: ({ name, stage, durationMs }) => {
        metrics.record("signett.lifecycle", durationMs, { name, stage });
      },
    });

    await expect(signett.expose(searchProductsTool)).resolves.toMatchObject({
      status: "registered",
    });
    await expect(browser.invoke("search_products", { query: "coat" })).resolves.toHaveLength(1);
    expect(metrics.record).toHaveBeenLastCalledWith("signett.lifecycle", expect.any(Number), {
      name: "search_products",
      stage: "succeeded",
    });
  });

  test("Readiness and deterministic testing: the harness proves registration and execution", async () => {
    const expectedProducts = await searchProducts("boots", new AbortController());

    assertToolReady(searchProductsTool);

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
});
