import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { InspectorPanel } from "./support/inspector.js";
import { expect, ready, test } from "./support/test.js";

/** What axe complains about, each with its places. */
async function complaints(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).include("signett-inspector").analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} scheme axe finds nothing to complain about`, () => {
    // Axe looks at every element, and the machine may be busy.
    test.describe.configure({ timeout: 90_000 });
    test.beforeEach(({ page }) => page.emulateMedia({ colorScheme }));

    test("in Tools, before, while and after a call", async ({ page }) => {
      const panel = await InspectorPanel.mount(page);
      expect(await complaints(page)).toEqual([]);
      const detail = await panel.selectTool("refund_order");
      await detail.getByRole("button", { name: "Call", exact: true }).click();
      await expect(detail.getByText(/after \d/)).toBeVisible();
      await panel.data.click();
      expect(await complaints(page)).toEqual([]);
    });

    test("in Calls, with a call selected", async ({ page }) => {
      await page.goto("/inspector-story.html");
      const panel = InspectorPanel.on(page);
      await panel.open("Calls");
      await panel.row("waits for owner").click();
      expect(await complaints(page)).toEqual([]);
    });

    test("in Keys and Profile, with a question open", async ({ page }) => {
      await page.goto("/inspector-story.html");
      const panel = InspectorPanel.on(page);
      await panel.open("Keys");
      await panel.row("in doubt").click();
      expect(await complaints(page)).toEqual([]);
      await page.getByRole("button", { name: "Resolve…" }).click();
      expect(await complaints(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await panel.open("Profile");
      await expect(page.getByText("shared: one SharedWorker")).toBeVisible();
      expect(await complaints(page)).toEqual([]);
    });
  });
}

test("by keyboard alone: size the panel, choose a tool, call it, and read how the call went", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  const press = (key: string) => page.keyboard.press(key);
  await press("Tab");
  const grip = page.getByRole("separator", { name: "Height of the Inspector" });
  await expect(grip).toBeFocused();
  const height = Number(await grip.getAttribute("aria-valuenow"));
  await press("ArrowUp");
  await expect(grip).toHaveAttribute("aria-valuenow", String(height + 32));
  await press("Tab");
  await expect(panel.tab("Tools")).toBeFocused();
  for (let stop = 0; stop < 4; stop++) await press("Tab");
  await expect(panel.grid("Tools")).toBeFocused();
  await press("End");
  await expect(panel.row("refund_order")).toHaveAttribute("aria-selected", "true");
  const active = await panel.grid("Tools").getAttribute("aria-activedescendant");
  await expect(panel.row("refund_order")).toHaveAttribute("id", active ?? "none");
  await press("Home");
  await press("PageDown");
  await press("ArrowUp");
  await expect(panel.row("list_orders")).toHaveAttribute("aria-selected", "true");
  await press("Tab");
  await press("Tab");
  await press("Tab");
  await expect(page.getByLabel("status")).toBeFocused();
  await press("Tab");
  await press("Enter");
  await expect(page.getByText(/^Answered after/)).toBeVisible();
  await expect(page.getByRole("status")).toContainText("list_orders: Answered after");

  // Out of the detail and back to the list, then to the next view.
  await press("Escape");
  await expect(panel.grid("Tools")).toBeFocused();
  await panel.tab("Tools").focus();
  await press("ArrowRight");
  await expect(panel.tab("Calls")).toBeFocused();
  await expect(panel.row(/list_orders.*succeeded/)).toBeVisible();
});

test("folds to its bar, and gives the page its room back", async ({ page }) => {
  const panel = await InspectorPanel.mount(page);
  const full = await panel.host.evaluate((host) => host.getBoundingClientRect().height);
  await page.getByRole("button", { name: "Fold" }).click();
  await expect(panel.grid("Tools")).toBeHidden();
  expect(await panel.host.evaluate((host) => host.getBoundingClientRect().height)).toBeLessThan(40);
  await page.getByRole("button", { name: "Unfold" }).click();
  await expect(panel.row("list_orders")).toBeVisible();
  expect(await panel.host.evaluate((host) => host.getBoundingClientRect().height)).toBe(full);
});

test("the page's styles and the panel's don't reach each other", async ({ page }) => {
  await page.goto("/inspector.html");
  await ready(page);
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      "* { color: red } body { font: 40px serif } button, section { display: none !important }",
    );
    document.adoptedStyleSheets.push(sheet);
  });
  const heading = () =>
    page
      .locator("h1")
      .evaluate((h1) =>
        [...getComputedStyle(h1)].map((name) => getComputedStyle(h1).getPropertyValue(name)),
      );
  const before = await heading();
  await page.evaluate(() => window.inspector.open());
  const tools = page.getByRole("tab", { name: /^Tools/ });
  await expect(tools).toBeVisible();
  await expect(tools).toHaveCSS("font-size", "12px");
  await expect(tools).not.toHaveCSS("color", "rgb(255, 0, 0)");
  expect(await heading()).toEqual(before);
});

test("a strict policy without inline styles, inline scripts and HTML sinks has nothing to report", async ({
  page,
}) => {
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  const panel = await InspectorPanel.mount(page, "/inspector-strict.html");
  await expect(panel.host.locator(".bar")).toHaveCSS("display", "flex");
  await panel.data.click();
  const detail = await panel.selectTool("list_orders");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByLabel("Answer")).toContainText("A-1002");
  await panel.open("Calls");
  await panel.row("succeeded").click();
  await panel.open("Keys");
  await page.getByLabel("Prefix").fill("pay:");
  await page.getByRole("button", { name: "Purge these…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Purge" }).click();
  await expect(page.getByText("0 keys purged.")).toBeVisible();
  await panel.open("Profile");
  await expect(page.getByText("shared: one SharedWorker")).toBeVisible();
  await page.getByRole("button", { name: "Fold" }).click();
  await page.evaluate(() => window.inspector.remove());
  expect(await page.evaluate(() => window.violations)).toEqual([]);
  expect(problems).toEqual([]);
});
