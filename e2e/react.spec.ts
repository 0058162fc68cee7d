import type { Page } from "@playwright/test";
import { type React, reacts } from "./support/reacts.js";
import { expect, ready, test } from "./support/test.js";

/** A page with a React app whose component has the tool `read_count`. */
async function open(page: Page, react: React) {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(react.at("/react.html"));
  await ready(page);
  await expect(page.locator("html")).toHaveAttribute("data-react", react.version);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const registered = () => expect(page.getByRole("status")).toHaveText("registered");
  const descriptions = async () =>
    (await page.webmcp.tools()).map(({ description }) => description);
  const read = (input: { wait?: boolean } = {}) => page.webmcp.callTool("read_count", input);
  return { errors, press, registered, descriptions, read };
}

const apples = "Read the number of apples on the page.";
const pears = "Read the number of pears on the page.";

for (const react of reacts) {
  test.describe(react.name, () => {
    test("a component in StrictMode has its tool in the browser once, as long as it is mounted", async ({
      page,
    }) => {
      const { errors, press, registered, descriptions } = await open(page, react);
      await registered();
      // The first of the two is what StrictMode took back at once.
      await expect(page.locator("html")).toHaveAttribute("data-attempts", "2");
      expect(await descriptions()).toEqual([apples]);
      await press("Unmount");
      expect(await descriptions()).toEqual([]);
      await press("Mount");
      await registered();
      expect(await descriptions()).toEqual([apples]);
      expect(errors).toEqual([]);
    });

    test("an agent's call sees what was rendered last", async ({ page }) => {
      const { press, registered, read } = await open(page, react);
      await registered();
      await press("Count");
      await press("Count");
      expect(await read()).toEqual({ count: 2, unit: "apples" });
    });

    test("other deps register the tool anew, and the call that runs ends as it began", async ({
      page,
    }) => {
      const { press, registered, descriptions, read } = await open(page, react);
      await registered();
      const running = read({ wait: true });
      await expect(page.getByRole("button", { name: "Finish the call" })).toBeVisible();
      await press("Count pears");
      await expect.poll(descriptions).toEqual([pears]);
      await press("Finish the call");
      expect(await running).toEqual({ count: 0, unit: "apples" });
      expect(await read()).toEqual({ count: 0, unit: "pears" });
    });

    test("a component that comes and goes faster than the browser registers leaves what was rendered last", async ({
      page,
    }) => {
      const { errors, registered, descriptions } = await open(page, react);
      await registered();
      const toggle = (times: number) =>
        page.evaluate(async (left) => {
          for (; left > 0; left--) {
            document.querySelector("button")?.click();
            // React renders a click's update in a microtask.
            await Promise.resolve();
          }
        }, times);
      await toggle(41);
      await expect(page.getByRole("status")).toHaveCount(0);
      expect(await descriptions()).toEqual([]);
      await toggle(41);
      await registered();
      expect(await descriptions()).toEqual([apples]);
      expect(errors).toEqual([]);
    });

    test("a call while a transition is prepared sees what the person sees", async ({ page }) => {
      const { press, registered, descriptions, read } = await open(page, react);
      await registered();
      await press("Show pears");
      await press("Count");
      expect(await read()).toEqual({ count: 1, unit: "apples" });
      expect(await descriptions()).toEqual([apples]);
      await press("Load the pears");
      await expect(page.getByRole("listitem")).toHaveCount(5);
      await expect.poll(descriptions).toEqual([pears]);
      expect(await read()).toEqual({ count: 1, unit: "pears" });
    });
  });
}
