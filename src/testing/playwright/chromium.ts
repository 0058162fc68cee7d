import type { BrowserContext, CDPSession, Page } from "@playwright/test";

/**
 * A line to the page's DevTools.
 * @throws {Error} in other browsers, rather than to do nothing there.
 */
export async function devTools(page: Page, helper: string): Promise<CDPSession> {
  const type = page.context().browser()?.browserType().name();
  if (type !== undefined && type !== "chromium") throw onlyChromium(helper, type);
  try {
    return await page.context().newCDPSession(page);
  } catch (error) {
    // A persistent context does not tell its browser in every version of Playwright.
    if (/only supported in Chromium/i.test(String(error))) {
      throw onlyChromium(helper, "this browser", error);
    }
    throw error;
  }
}

function onlyChromium(helper: string, browser: string, cause?: unknown): Error {
  return new Error(
    `${helper} works in Chromium only: it needs the DevTools protocol, which ${browser} does not have. ` +
      "Skip this test there, for instance with test.skip(browserName !== 'chromium').",
    { cause },
  );
}

/** A page of the context whose scripts run. */
export function anyPage(context: BrowserContext, helper: string): Page {
  const page = context.pages().find((candidate) => !candidate.isClosed() && answers(candidate));
  if (page) return page;
  throw new Error(`${helper} needs an open page in the context.`);
}

/** Pages whose scripts don't run: asking them for anything would wait for ever. */
export const stopped = new WeakMap<Page, CDPSession>();

const crashed = new WeakSet<Page>();

/** The page has crashed. It stays in its context, and asking it for anything would wait for ever, until it is loaded anew. */
export function markCrashed(page: Page): void {
  crashed.add(page);
  page.once("framenavigated", () => crashed.delete(page));
}

/** The page can be asked for something. */
export function answers(page: Page): boolean {
  return !stopped.has(page) && !crashed.has(page);
}
