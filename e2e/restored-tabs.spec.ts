import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import type {} from "./pages/startup.js";
import { startBrowser, withProfile } from "./support/browser.js";
import { test as base, expect, ready } from "./support/test.js";

const test = base.extend<{ readonly profile: string }>({
  // Chromium restores the tabs of a profile that it has closed properly once.
  profile: async ({ baseURL }, use) =>
    withProfile(async (folder) => {
      await (await startBrowser(folder, { baseURL })).close();
      await use(folder);
    }),
});

// Browsers are started, killed and started again.
test.setTimeout(90_000);

/** Ends the browser without a word to its pages, and without time to write anything. */
async function killBrowser(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await session?.send("SystemInfo.getProcessInfo")) ?? {};
  const { id } = processInfo.find(({ type }) => type === "browser") ?? {};
  if (id === undefined) throw new Error("The browser does not tell its process.");
  const closed = new Promise((resolve) => context.once("close", resolve));
  process.kill(id, "SIGKILL");
  await closed;
}

/** Resolves when the browser has written down that tabs with these addresses are open. */
async function remembered(profile: string, addresses: readonly string[]): Promise<void> {
  const folder = join(profile, "Default", "Sessions");
  const missing = async () => {
    const files = (await readdir(folder)).filter((name) => name.startsWith("Session_"));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "latin1")));
    return addresses.filter((address) => !texts.join("").includes(address));
  };
  await expect.poll(missing, { timeout: 15_000 }).toEqual([]);
}

/** The tabs of the browser's last life, as soon as so many are there. */
async function restored(context: BrowserContext, count: number): Promise<Page[]> {
  const pages = () => context.pages().filter((page) => page.url().includes("/startup.html"));
  await expect.poll(() => pages().length, { timeout: 15_000 }).toBe(count);
  await Promise.all(pages().map(ready));
  return pages();
}

const answersOf = (page: Page) => page.evaluate(() => window.answers);
const orders = ["A-1001", "A-1002", "A-1003", "A-1004"];
/** So many tabs that call for all orders as soon as they are loaded. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, tab) => {
    const query = new URLSearchParams(orders.map((id) => ["order", id]));
    return `/startup.html?${query}&tab=${tab}`;
  });
const cancelled = orders.map((orderId) => ({
  output: { orderId, status: "cancelled", cancelledAt: expect.any(String) },
}));

test("eight tabs that the browser restores after it was killed in the middle of operations call them again at once: each is recovered, one effect, equal answers", async ({
  server,
  profile,
  baseURL,
}) => {
  const first = await startBrowser(profile, { baseURL });
  await server.set({ answers: "held" });
  const eight = addresses(8);
  await Promise.all(eight.map(async (address) => (await first.newPage()).goto(address)));
  await server.holding(orders.length);
  await remembered(profile, eight);
  await killBrowser(first);

  await server.set({ answers: "normal" });
  const second = await startBrowser(profile, { baseURL, args: ["--restore-last-session"] });
  const tabs = await restored(second, 8);
  const answers = await Promise.all(tabs.map(answersOf));
  expect(answers[0]).toEqual(cancelled);
  for (const each of answers) expect(each).toEqual(answers[0]);
  expect(await server.effects()).toHaveLength(orders.length);
  await second.close();
});

test("two tabs that are restored together over an empty profile both get the database, and one effect a key (C139, pubkey/rxdb#2651)", async ({
  server,
  profile,
  baseURL,
}) => {
  const first = await startBrowser(profile, { baseURL });
  const two = addresses(2);
  for (const address of two) {
    const page = await first.newPage();
    await page.goto("/startup.html");
    await ready(page);
    // What a restored tab loads, and this one does not.
    await page.evaluate((there) => history.replaceState(null, "", there), address);
    expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
  }
  await remembered(profile, two);
  await first.close();

  const second = await startBrowser(profile, { baseURL, args: ["--restore-last-session"] });
  const answers = await Promise.all((await restored(second, 2)).map(answersOf));
  expect(answers[0]).toEqual(cancelled);
  expect(answers[1]).toEqual(answers[0]);
  expect(await server.effects()).toHaveLength(orders.length);
  await second.close();
});
