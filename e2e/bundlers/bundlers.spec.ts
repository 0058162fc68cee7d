import { expect, type Page, test } from "@playwright/test";
import { builds } from "./builds.js";
import type { Serving } from "./commands.js";
import { sharedWorkers } from "./shared-workers.js";

declare global {
  interface Window {
    /** Calls the app's tool as an agent does. */
    call(operationId: string): Promise<unknown>;
  }
}

let served: Serving | undefined;
test.afterEach(async () => {
  await served?.stop();
  served = undefined;
});

test.describe("the packed library, built and in development (C029, vitejs/vite#21422; C030, vitejs/vite#21056; C032, vercel/next.js#74842)", () => {
  for (const build of builds) {
    test(`${build.name}: two tabs have one worker, and a call in both has one effect`, async ({
      browser,
      context,
    }) => {
      served = await build.serve();
      const problems: string[] = [];
      const effects: string[] = [];
      let reportWaiting = () => {};
      const waiting = new Promise<void>((resolve) => {
        reportWaiting = resolve;
      });
      await context.exposeBinding("reached", (_, stage: string) => {
        if (stage === "waiting") reportWaiting();
      });
      await context.exposeBinding("effect", async (_, operationId: string) => {
        effects.push(operationId);
        await waiting;
        return effects.length;
      });
      context.on("weberror", (error) => problems.push(String(error.error())));

      const tabs = [await context.newPage(), await context.newPage()];
      for (const tab of tabs) await open(tab, served.url);
      const answers = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.call("op-1"))));

      expect(answers).toEqual([{ sent: 1 }, { sent: 1 }]);
      expect(effects).toEqual(["op-1"]);
      expect(await sharedWorkers(browser)).toHaveLength(1);
      expect(problems).toEqual([]);
    });
  }
});

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => "call" in window);
}
