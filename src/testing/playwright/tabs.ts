import type { BrowserContext, Page } from "@playwright/test";
import { installPageSide, type Via } from "./page-side.js";

/** Options of {@link openTabs}. */
export interface OpenTabsOptions {
  /**
   * How {@link callTool} gets into these pages. `"native"`, the default: through the browser's WebMCP, which Chromium has
   * with `--enable-features=WebMCP`. `"page"`: through the executors that the page registers with a stand-in, in any browser.
   * It is one choice for the whole context, and each result names it.
   */
  readonly via?: Via;
}

/** So many pages, each of which is known to be there. */
export type Tabs<Count extends number, Pages extends Page[] = []> = number extends Count
  ? Page[]
  : Pages["length"] extends Count
    ? Pages
    : Tabs<Count, [...Pages, Page]>;

const prepared = new WeakMap<BrowserContext, Via>();

/**
 * Prepares all pages that the context opens from now on, also those that the application opens: their events and calls can
 * then be looked at. {@link openTabs} does it by itself.
 * @throws {TypeError} when the context was prepared for another `via`.
 */
export async function prepareContext(
  context: BrowserContext,
  { via = "native" }: OpenTabsOptions = {},
): Promise<void> {
  const before = prepared.get(context);
  if (before === via) return;
  if (before) {
    throw new TypeError(`This context's tabs are called via "${before}" already, not "${via}".`);
  }
  prepared.set(context, via);
  await context.addInitScript(installPageSide, via);
}

/**
 * Opens `count` tabs of one browser profile, one after the other, and resolves when all are loaded.
 *
 * @param url Absolute, or under the `baseURL` of the configuration.
 * @param count Default: 1.
 */
export async function openTabs<Count extends number = 1>(
  context: BrowserContext,
  url: string,
  count?: Count,
  options?: OpenTabsOptions,
): Promise<Tabs<Count>> {
  await prepareContext(context, options);
  const pages: Page[] = [];
  for (let opened = 0; opened < (count ?? 1); opened++) {
    const page = await context.newPage();
    await page.goto(url);
    pages.push(page);
  }
  // The loop has counted.
  return pages as Tabs<Count>;
}
