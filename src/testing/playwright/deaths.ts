import type { CDPSession, Page } from "@playwright/test";
import { devTools, markCrashed, stopped } from "./chromium.js";

/** Closes a tab as a person does who does not wait: without asking the page. In any browser. */
export async function closeTab(page: Page): Promise<void> {
  await page.close({ runBeforeUnload: false });
}

/**
 * Kills the tab's process, without a word to its scripts. A SharedWorker that lives in it dies too: it lives with the tab
 * that started it. Chromium only.
 */
export async function crashTab(page: Page): Promise<void> {
  const session = await devTools(page, "crashTab");
  const crashed = page.waitForEvent("crash");
  // The process that would answer is gone.
  session.send("Page.crash").catch(() => {});
  await crashed;
  markCrashed(page);
}

/**
 * Stops the tab's scripts, as the system does with tabs that nobody looks at: it holds its locks and answers nothing.
 * Resolves when they have stopped. Until {@link thawTab}, everything that asks the page waits. A SharedWorker that lives in the tab's
 * process may stand still with it. Chromium only.
 */
export async function freezeTab(page: Page): Promise<void> {
  if (stopped.has(page)) return;
  const session = await devTools(page, "freezeTab");
  await pause(session);
  stopped.set(page, session);
}

/** Lets a frozen tab go on. Resolves when its scripts run. Does nothing for one that runs. */
export async function thawTab(page: Page): Promise<void> {
  const session = stopped.get(page);
  if (!session || page.isClosed()) return;
  const resumed = new Promise((resolve) => session.once("Debugger.resumed", resolve));
  await session.send("Debugger.resume");
  await resumed;
  stopped.delete(page);
  await session.detach();
}

/** Stops the scripts behind a session. Resolves when they have. */
async function pause(session: CDPSession): Promise<void> {
  const paused = new Promise((resolve) => session.once("Debugger.paused", resolve));
  await session.send("Debugger.enable");
  await session.send("Debugger.pause");
  // It stops at the next statement, so that there must be one. The answer comes when the scripts go on.
  session.send("Runtime.evaluate", { expression: "0" }).catch(() => {});
  await paused;
}
