import { writeFile } from "node:fs/promises";
import type { BrowserContext, Page } from "@playwright/test";
import { crashTab } from "signett/testing/playwright";
import { type React, react19, reacts } from "./support/reacts.js";
import { expect, test } from "./support/test.js";

/** A tab of the photos page: its agent calls tools, and its person looks at two lists of calls. */
async function open(context: BrowserContext, react: React) {
  const page = await context.newPage();
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(react.at("/activity.html"));
  await expect(page.locator("html")).toHaveAttribute("data-react", react.version);
  await expect(page.locator("[data-tools]")).toHaveAttribute("data-tools", "registered registered");
  const list = (title: string) => page.getByRole("region", { name: title }).getByRole("listitem");
  return {
    ...{ page, errors },
    here: list("What agents do here"),
    everywhere: list("What agents do in all tabs"),
    archive: () => page.webmcp.callTool("archive_photos", { year: 2025 }),
    erase: () => page.webmcp.callTool("delete_photos", { year: 2024 }),
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
  };
}

for (const react of reacts) {
  test.describe(react.name, () => {
    test("a tab that waits shows how far the call in another tab is, and then its answer", async ({
      context,
    }) => {
      const [owner, waiter] = [await open(context, react), await open(context, react)];
      const first = owner.archive();
      await expect(owner.here).toContainText(["0 of 4: sea.jpg"]);
      await owner.press("Archive sea.jpg");
      const second = waiter.archive();
      await expect(waiter.here).toContainText(["waiting1 of 4: hills.jpg"]);
      await owner.press("Archive hills.jpg");
      await expect(waiter.here).toContainText(["waiting2 of 4: harbour.jpg"]);
      await owner.press("Archive harbour.jpg");
      await owner.press("Archive market.jpg");
      expect(await Promise.all([first, second])).toEqual([{ archived: 4 }, { archived: 4 }]);
      await expect(owner.here).toContainText(["succeeded"]);
      await expect(waiter.here).toContainText(["succeededstored answer"]);
      for (const { everywhere } of [owner, waiter]) {
        await expect(everywhere).toHaveCount(2);
        await expect(everywhere.filter({ hasText: "succeeded" })).toHaveCount(2);
      }
      expect([...owner.errors, ...waiter.errors]).toEqual([]);
    });

    test("a tab that is opened later shows the calls that run, and what becomes of a tab that is closed", async ({
      context,
    }) => {
      const owner = await open(context, react);
      owner.archive().catch(() => {});
      await expect(owner.here).toContainText(["0 of 4: sea.jpg"]);
      const late = await open(context, react);
      await expect(late.everywhere).toContainText(["0 of 4: sea.jpganother tab"]);
      await owner.page.close();
      await expect(late.everywhere).toContainText(["unknown"]);
      await expect(late.here).toHaveCount(0);
      expect(late.errors).toEqual([]);
    });

    test("a tab that crashes leaves its calls as unknown, with a key or without", async ({
      context,
    }) => {
      const [owner, watcher] = [await open(context, react), await open(context, react)];
      for (const call of [owner.archive(), owner.erase()]) call.catch(() => {});
      const phases = watcher.everywhere.locator("strong");
      await expect(phases).toHaveText(["awaiting confirmation", "running"]);
      await expect.poll(() => tabsWaitedFor(watcher.page)).toBe(1);
      await crashTab(owner.page);
      await expect(phases).toHaveText(["unknown", "unknown"]);
      expect(watcher.errors).toEqual([]);
    });
  });
}

/** Pictures are made anew on request only, so that a run of the tests changes no file. */
const picture = async (page: Page, path: string) => {
  const image = await page.screenshot({ animations: "disabled" });
  if (process.env.PICTURES) await writeFile(path, image);
  expect(image.length).toBeGreaterThan(0);
};

test("the picture of the docs shows calls of two tabs in their phases", async ({ context }) => {
  const [other, tab] = [await open(context, react19), await open(context, react19)];
  await tab.page.setViewportSize({ width: 860, height: 500 });
  const declined = tab.erase().catch(() => {});
  await tab.press("Decline");
  await declined;
  const running = [other.archive()];
  await expect(other.here).toContainText(["0 of 4: sea.jpg"]);
  await other.press("Archive sea.jpg");
  await other.press("Archive hills.jpg");
  running.push(tab.archive());
  await expect(tab.here.first()).toContainText("2 of 4: harbour.jpg");
  running.push(tab.erase());
  await expect(tab.here.locator("strong")).toHaveText([
    ...["awaiting confirmation", "waiting", "declined"],
  ]);
  await expect(tab.everywhere.locator("strong")).toHaveText([
    ...["awaiting confirmation", "waiting", "running", "declined"],
  ]);
  await picture(tab.page, "docs/images/activity.png");
  for (const call of running) call.catch(() => {});
});

/** How many tabs' ends are waited for, by whoever shows their calls. */
const tabsWaitedFor = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { pending = [] } = await navigator.locks.query();
    return new Set(pending.map(({ name = "" }) => name).filter((name) => name.includes(":tab:")))
      .size;
  });
