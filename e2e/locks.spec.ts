import type { BrowserContext, Page } from "@playwright/test";
import { expect, ready, test } from "./support/test.js";

// Dozens of frames are opened, and one of them stands still for a while.
test.setTimeout(120_000);

/** The demo's policy forbids frames; these pages need them. */
async function openLocks(context: BrowserContext): Promise<Page> {
  await context.route(/locks\.html$/, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "content-security-policy": "frame-src 'self'" };
    await route.fulfill({ response, headers });
  });
  const page = await context.newPage();
  await page.goto("/locks.html");
  await ready(page);
  return page;
}

test("native locks of pages give what coordination rests on", async ({ context }) => {
  const page = await openLocks(context);
  const { passed, failed } = await page.evaluate(() => window.checkLocks("/locks.html"));
  expect(failed).toEqual([]);
  expect(passed).toHaveLength(24);
});

test("native locks of a SharedWorker give what coordination rests on", async ({ context }) => {
  const page = await openLocks(context);
  const { passed, failed } = await page.evaluate(() => window.checkLocksInWorker());
  expect(failed).toEqual([]);
  // Without another client nobody dies and nobody stands still.
  expect(passed).toHaveLength(21);
});

// The day this list gets shorter, docs/dependencies.md has to be written anew.
test("navigator.locks, which keeps locks in localStorage, can't be trusted with exclusion", async ({
  context,
}) => {
  const page = await openLocks(context);
  const outcome = await page.evaluate(() => window.checkLocks("/replaced-locks.html"));
  expect(outcome).toEqual({
    passed: [],
    failed: [
      "keeps an exclusive request waiting until the last shared holder is gone",
      "takes no lock from a holder that stands still",
    ],
    unmade: [],
  });
});
