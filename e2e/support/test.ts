import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, test as base, chromium, type Page } from "@playwright/test";
import { Agent, type Outcome } from "./agent.js";
import { DemoServer } from "./demo-server.js";

export { expect } from "@playwright/test";

/** A page of the demo and the agent that calls its tools. */
export interface Tab {
  readonly page: Page;
  readonly agent: Agent;
}

interface Fixtures {
  /** The demo's server, reset before each test. */
  readonly server: DemoServer;
  /** Opens the demo in another tab and waits until its tools are registered. */
  readonly openTab: (query?: string) => Promise<Tab>;
  /** Opens a page with nothing but the library. */
  readonly openLab: () => Promise<Page>;
}

/** Flags without which a fresh Chromium asks the network for things of its own. */
const quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update"];

export const test = base.extend<Fixtures>({
  // A profile on disk: in Playwright's usual contexts IndexedDB is in memory only.
  context: async ({ baseURL }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "signett-e2e-"));
    const { CHROMIUM_PATH } = process.env;
    const context = await chromium.launchPersistentContext(folder, {
      ...(baseURL && { baseURL }),
      ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
      args: ["--enable-features=WebMCP", "--no-sandbox", "--disable-sync", ...quiet],
    });
    await use(context);
    await context.close();
    await rm(folder, { recursive: true, force: true });
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
    await use(async () => {
      const page = await context.newPage();
      await page.goto("/lab.html");
      await ready(page);
      return page;
    });
  },
});

async function openTab(context: BrowserContext, query: string): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(`/${query}`);
  await ready(page);
  return { page, agent: await Agent.of(page) };
}

/** Resolves when the page has registered its tools. */
export async function ready(page: Page): Promise<void> {
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
}

/** Resolves when the demo page has reported this stage of a call. */
export async function stage(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.signettDemo.events.some((event) => event.stage === wanted),
    name,
  );
}

/** The stages that the demo page has reported. */
export function stages(page: Page): Promise<string[]> {
  return page.evaluate(() => window.signettDemo.events.map((event) => event.stage));
}

/** The tab calls `cancel_order`. */
export function cancelOrder(
  { agent }: Tab,
  orderId: string,
  operationId: string,
): Promise<Outcome> {
  return agent.call("cancel_order", { orderId, operationId });
}

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
