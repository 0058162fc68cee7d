import type { BrowserContext, Page } from "@playwright/test";
import { answers } from "./chromium.js";

/** Options of {@link quiescent}. */
export interface QuiescentOptions {
  /** How long to wait, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Resolves when no tab of the context has anything open: no call that runs or waits, and nothing left to settle. It does not
 * sleep: it waits for the locks that mark tabs with open work alive, in one page of each origin. Works in every browser with
 * Web Locks. Looking at locks makes a browser drop pages from its back/forward cache that hold some.
 *
 * @throws {Error} with the locks that are still held when the time is over.
 */
export async function quiescent(
  context: BrowserContext,
  { timeoutMs = 10_000 }: QuiescentOptions = {},
): Promise<void> {
  for (const page of onePageAnOrigin(context)) {
    const held = await page.evaluate(untilNothingIsOpen, timeoutMs);
    if (held.length > 0) {
      throw new Error(`Still open after ${timeoutMs} ms: ${held.join(", ")}.`);
    }
  }
}

function onePageAnOrigin(context: BrowserContext): Page[] {
  const pages = new Map<string, Page>();
  for (const page of context.pages()) {
    const { protocol, origin } = new URL(page.url());
    if (/^https?:$/.test(protocol) && answers(page)) pages.set(origin, page);
  }
  return [...pages.values()];
}

/** Sent to the page as text. Gives the locks that were not let go in time. */
async function untilNothingIsOpen(timeoutMs: number): Promise<string[]> {
  const { locks } = navigator;
  const signal = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const { held = [], pending = [] } = await locks.query();
    const names = [...held, ...pending].map(({ name = "" }) => name);
    const open = [...new Set(names.filter((name) => name.includes(":client:")))];
    if (open.length === 0) return [];
    try {
      // In turn behind the holder and those who watch it.
      for (const name of open) await locks.request(name, { mode: "shared", signal }, () => {});
    } catch {
      return open;
    }
  }
}
