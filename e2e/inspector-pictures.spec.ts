import { expect, ready, test } from "./support/test.js";

const sizes = { wide: { width: 1_200, height: 520 }, narrow: { width: 420, height: 640 } } as const;

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    test(`a picture of each view, ${colorScheme} and ${size}`, async ({ page }, testInfo) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(viewport);
      await page.clock.setFixedTime(new Date("2026-03-02T14:31:07"));
      await page.goto("/inspector-story.html");
      await ready(page);
      /** Pictures of the docs are made anew on request only, so that a run of the tests changes no file. */
      const take = async (view: string) => {
        const name = `inspector-${view}-${size}-${colorScheme}.png`;
        const documented = process.env.PICTURES && (size === "wide" || view === "calls");
        await page.screenshot({
          path: documented ? `docs/images/${name}` : testInfo.outputPath(name),
        });
        // Whatever the width, the panel keeps to it.
        const overflow = () => document.documentElement.scrollWidth - innerWidth;
        expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
      };
      const open = (name: RegExp) => page.getByRole("tab", { name }).click();

      await page.getByRole("row", { name: /refund_order/ }).click();
      await expect(page.getByRole("heading", { name: "refund_order" })).toBeVisible();
      await take("tools");
      await open(/^Calls/);
      // Two calls that waited for one answer, one that waits, and two that replay.
      await expect(page.locator(".ties path")).toHaveCount(5);
      await take("calls");
      await open(/^Keys/);
      await page.getByRole("row", { name: /in doubt/ }).click();
      await expect(page.getByRole("button", { name: "Resolve…" })).toBeVisible();
      await take("keys");
      await open(/^Profile/);
      await expect(page.getByText("strict durability")).toBeVisible();
      await take("profile");
    });
  }
}
