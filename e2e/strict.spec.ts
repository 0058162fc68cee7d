import type { BrowserContext, Page } from "@playwright/test";
import { callTool } from "signett/testing/playwright";
import { STRICT_POLICY, StrictServer } from "./support/strict-server.js";
import { test as base, cancelOrder, expect, ready } from "./support/test.js";

interface Fixtures {
  /** Serves the built pages under the strict policy. */
  readonly serve: (options?: { isolated: boolean }) => Promise<StrictServer>;
}

const test = base.extend<Fixtures>({
  serve: async ({ baseURL }, use) => {
    const servers: StrictServer[] = [];
    await use(async (options) => {
      const server = await StrictServer.start(baseURL ?? "", options);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.stop();
  },
});

async function open(context: BrowserContext, address: string) {
  const page = await context.newPage();
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warnings.push(message.text());
  });
  await page.goto(address);
  await ready(page);
  return { page, warnings };
}

/** Chromium files reports by itself, some time later: one that is provoked comes after all others. */
async function reportsOf({ reports }: StrictServer, page: Page): Promise<string[]> {
  await page.evaluate(() => fetch("https://provoked.example/").catch(() => {}));
  await expect.poll(() => reports.some((text) => text.includes("provoked.example"))).toBe(true);
  return reports.filter((text) => !text.includes("provoked.example"));
}

const tools = ["add_note_precompiled", "add_note_interpreted"];

for (const isolated of [false, true]) {
  const where = isolated ? "policy and cross-origin isolation" : "policy";
  test(`under the strict ${where}, tools work in two tabs and nothing is reported`, async ({
    context,
    serve,
  }) => {
    const server = await serve({ isolated });
    const address = `${server.origin}/strict.html`;
    const [first, second] = [await open(context, address), await open(context, address)];
    expect(await first.page.evaluate(() => crossOriginIsolated)).toBe(isolated);
    for (const tool of tools) {
      const input = { text: "hello", operationId: "1" };
      const output = { text: "hello", mode: "shared" };
      expect(await callTool(first.page, tool, input)).toMatchObject({ status: "answered", output });
      expect(await callTool(second.page, tool, input)).toMatchObject({
        status: "answered",
        output,
      });
      expect(await callTool(second.page, tool, { text: "", operationId: "2" })).toMatchObject({
        status: "failed",
        error: { code: "invalid_input" },
      });
    }
    await expect(first.page.locator("p")).toHaveCount(2);
    await expect(second.page.locator("p")).toHaveCount(0);
    expect(first.warnings).toEqual([]);
    expect(server.workerPolicies[0]).toContain(STRICT_POLICY);
    expect(await reportsOf(server, first.page)).toEqual([]);
  });
}

test("under the strict policy the demo cancels an order once for two tabs, and nothing is reported", async ({
  context,
  server,
  serve,
}) => {
  const strict = await serve();
  const tabs = [
    await open(context, `${strict.origin}/?ask=0`),
    await open(context, `${strict.origin}/?ask=0`),
  ] as const;
  const [orderId = ""] = await server.openOrders();
  const outcomes = await Promise.all(tabs.map((tab) => cancelOrder(tab, orderId, "op-1")));
  expect(outcomes.map(({ status }) => status)).toEqual(["answered", "answered"]);
  expect(await server.effects()).toHaveLength(1);
  expect(await callTool(tabs[0].page, "list_orders", { status: "lost" })).toMatchObject({
    error: { code: "invalid_input" },
  });
  expect(tabs[0].warnings).toEqual([]);
  expect(await reportsOf(strict, tabs[0].page)).toEqual([]);
});

test("where nothing was chosen, tools work under the strict policy, for one warning and one attempt (C103, ajv-validator/ajv#2175)", async ({
  context,
  serve,
}) => {
  const strict = await serve();
  const { page, warnings } = await open(context, `${strict.origin}/lab.html`);
  const issues = await page.evaluate(async () => {
    const { createSignett, ValidationError } = window.lab.signett;
    const { modelContext, invoke } = window.lab.testing.createWebMcpTestHarness();
    const signett = createSignett({ modelContext });
    for (const name of ["first_tool", "second_tool"]) {
      const inputSchema = { type: "object", required: ["id"] };
      await signett.expose({ name, description: "A tool.", inputSchema, execute: () => "done" });
    }
    return invoke("second_tool", {}).catch((error: unknown) =>
      error instanceof ValidationError ? error.issues : String(error),
    );
  });
  expect(issues).toEqual([{ path: "/id", keyword: "required", message: "is required" }]);
  expect(warnings.filter((text) => text.startsWith("Signett"))).toHaveLength(1);
  expect(await reportsOf(strict, page)).toHaveLength(1);
});
