import type { Page } from "@playwright/test";
import { devTools } from "./chromium.js";

/** What a page is marked with before it goes. */
const mark = "signett.testing:left";

/** Options of {@link goAndComeBack}. */
export interface GoOptions {
  /** The page to go to in between, of the same site. Default: the page's own address, with a query. */
  readonly away?: string;
  /** Done while the page is away. */
  readonly meanwhile?: () => Promise<unknown>;
}

/**
 * Leaves the page for another one and comes back through the back/forward cache. Chromium only, and started with
 * `ignoreDefaultArgs: ["--disable-back-forward-cache"]`: Playwright turns the cache off.
 *
 * @throws {Error} when the page was loaded anew, with the browser's reasons.
 */
export async function goAndComeBack(
  page: Page,
  { away, meanwhile }: GoOptions = {},
): Promise<void> {
  const session = await devTools(page, "goAndComeBack");
  const reasons: string[] = [];
  session.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) => {
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason));
  });
  await session.send("Page.enable");
  await page.evaluate((name) => Reflect.set(globalThis, name, true), mark);
  await page.goto(away ?? elsewhere(page.url()));
  await meanwhile?.();
  await page.goBack({ waitUntil: "commit" });
  // What the page remembers can only come from the cache.
  const restored = await page.evaluate((name) => Reflect.has(globalThis, name), mark);
  await session.detach();
  if (restored) return;
  throw notRestored(reasons);
}

function elsewhere(url: string): string {
  const away = new URL(url);
  away.searchParams.set("away", "");
  return away.href;
}

function notRestored(reasons: readonly string[]): Error {
  return new Error(
    `The page was loaded anew. Chromium's reasons: ${reasons.join(", ") || "none given"}. ` +
      'Is it started with ignoreDefaultArgs: ["--disable-back-forward-cache"]?',
  );
}
