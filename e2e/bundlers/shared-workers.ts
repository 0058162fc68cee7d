import type { Browser } from "@playwright/test";

/** The URLs of the SharedWorkers that run in the browser. */
export async function sharedWorkers(browser: Browser): Promise<string[]> {
  const session = await browser.newBrowserCDPSession();
  const filter = [{ type: "shared_worker" }, { exclude: true }];
  const { targetInfos } = await session.send("Target.getTargets", { filter });
  await session.detach();
  return targetInfos.map(({ url }) => url);
}
