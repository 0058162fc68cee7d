import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { callTool, eventsOf, expect, type ToolCall, untilStage } from "signett/testing/playwright";
import { persistentContext } from "./browser.js";
import { DemoServer } from "./demo-server.js";

export { expect, untilStage as stage };

/** A page of the demo. */
export interface Tab {
  readonly page: Page;
}

interface Fixtures {
  /** The demo's server, reset before each test. */
  readonly server: DemoServer;
  /** Opens the demo in another tab and waits until its tools are registered. */
  readonly openTab: (query?: string) => Promise<Tab>;
  /** Opens a page with nothing but the library. */
  readonly openLab: () => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  context: async ({ baseURL }, use) => {
    await persistentContext(use, { baseURL });
  },
  server: async ({ baseURL }, use) => {
    const server = new DemoServer(baseURL ?? "");
    await server.reset();
    await use(server);
  },
  openTab: async ({ context }, use) => {
    await use((query = "?ask=0") => openTab(context, query));
  },
  openLab: async ({ context }, use) => {
    await use(() => openLabIn(context));
  },
});

/** Opens a page with nothing but the library. */
export async function openLabIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("/lab.html");
  await ready(page);
  return page;
}

async function openTab(context: BrowserContext, query: string): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(`/${query}`);
  await ready(page);
  return { page };
}

/** Resolves when the page has registered its tools. */
export async function ready(page: Page): Promise<void> {
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
}

/** The stages that the page has reported. */
export async function stages(page: Page): Promise<string[]> {
  const events = await eventsOf(page);
  return events.map((event) => event.stage);
}

/** The tab calls `cancel_order`. */
export function cancelOrder({ page }: Tab, orderId: string, operationId: string): ToolCall {
  return callTool(page, "cancel_order", { orderId, operationId });
}

/** What a call that cancelled the order has come to. */
export const cancelled = (orderId: string) =>
  expect.objectContaining({
    status: "answered",
    output: { orderId, status: "cancelled", cancelledAt: expect.any(String) },
  });

/** What a call in a tab that is no more has come to. */
export const gone = { status: "gone" };

/** The keys that have a record in the profile's database, read in the page as the library stores them. */
export function recordedKeys(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    // Opening a database that does not exist would make an empty one.
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === "signett")) return [];
    const database = await settled(indexedDB.open("signett"));
    const operations = database.transaction("operations").objectStore("operations");
    const keys = await settled(operations.getAllKeys());
    database.close();
    return keys.map(String);
  });
}
