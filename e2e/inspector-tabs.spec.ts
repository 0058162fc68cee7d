import type { BrowserContext, Page } from "@playwright/test";
import { callTool } from "signett/testing/playwright";
import type {} from "./pages/inspector-tab.js";
import { InspectorPanel } from "./support/inspector.js";
import { cancelOrder, expect, ready, test } from "./support/test.js";

/** A tab of the application, and an agent's way to call its tool. */
async function openTab(context: BrowserContext) {
  const page = await context.newPage();
  await page.goto("/inspector-tab.html");
  await ready(page);
  const pay = (operationId: string) => callTool(page, "pay", { operationId });
  return { page, panel: InspectorPanel.on(page), pay };
}

const finish = (page: Page) => page.evaluate(() => window.finish());
const running = (page: Page) => page.waitForFunction(() => "finish" in window);

test("Calls: a wait in another tab is drawn to its owner, and so is the answer that it got", async ({
  context,
}) => {
  const [owner, waiter] = [await openTab(context), await openTab(context)];
  await owner.page.bringToFront();
  await owner.panel.open("Calls");
  const first = owner.pay("1");
  await running(owner.page);
  const second = waiter.pay("1");
  await expect(owner.panel.row("executing 1/4")).toBeVisible();
  const row = owner.panel.row("waits for owner");
  await expect(row).toContainText("tab 2");
  const tie = owner.page.locator('.ties [data-kind="wait"]');
  await expect(tie).toHaveCount(1);

  await finish(owner.page);
  await Promise.all([first, second]);
  await expect(owner.panel.row(/tab 2pay.*replayed/)).toBeVisible();
  await owner.panel.row("replayed").click();
  const detail = owner.page.getByRole("region", { name: "Call", exact: true });
  await detail.getByRole("button", { name: "pay in this tab" }).click();
  await expect(owner.panel.row("succeeded")).toHaveAttribute("aria-selected", "true");

  await detail.getByRole("button", { name: "pay:1" }).click();
  await expect(owner.page.getByRole("region", { name: "Key", exact: true })).toContainText(
    "completed",
  );
});

test("Keys: who owns a key, who waits, and its end show as they happen in other tabs", async ({
  context,
}) => {
  const [watching, owner, waiter] = [
    await openTab(context),
    await openTab(context),
    await openTab(context),
  ];
  await watching.page.bringToFront();
  await watching.panel.open("Keys");
  const first = owner.pay("1");
  const row = watching.panel.row("pay:1");
  await expect(row).toContainText("started");
  await running(owner.page);
  const second = waiter.pay("1");
  await row.click();
  const detail = watching.page.getByRole("region", { name: "Key", exact: true });
  await expect(detail).toContainText(/Owner.*alive/);
  await expect(detail).toContainText("Waiters1");

  await finish(owner.page);
  await Promise.all([first, second]);
  await expect(row).toContainText("completed");
  await expect(detail).toContainText("Waiters0");
  const everything = () =>
    watching.panel.host.evaluate((host) => host.shadowRoot?.textContent ?? "");
  expect(await everything()).not.toContain("R-1");
  await watching.panel.data.click();
  await expect(detail.getByLabel("Output", { exact: true })).toContainText("R-1");
  await watching.panel.data.click();
  await expect(detail.getByLabel("Output", { exact: true })).toBeHidden();
  expect(await everything()).not.toContain("R-1");
});

test("Keys: an operation that a closed tab left in doubt is resolved, and callers get that answer", async ({
  context,
}) => {
  const [reviewing, closing] = [await openTab(context), await openTab(context)];
  const lost = closing.pay("9");
  await running(closing.page);
  await closing.page.close();
  expect((await lost).status).toBe("gone");
  const asked = reviewing.pay("9");
  expect(await asked).toMatchObject({ error: { code: "outcome_unknown" } });
  await reviewing.page.bringToFront();
  await reviewing.panel.open("Keys");
  const row = reviewing.panel.row("pay:9");
  await expect(row).toContainText("in doubt");
  await row.click();
  const press = (name: string) => reviewing.page.getByRole("button", { name }).click();

  await press("Resolve…");
  const dialog = reviewing.page.getByRole("dialog", { name: "What became of this operation?" });
  // It starts on the safe choice.
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Choose what became of it.");
  await dialog.getByLabel("It happened").check();
  await dialog.getByLabel("Output as JSON").fill('{ "receipt": "R-by-hand" }');
  await dialog.getByLabel("Why, for whoever looks later").fill("The bank’s statement");
  await dialog.getByRole("button", { name: "Resolve" }).click();
  await expect(row).toContainText("completed");
  await expect(reviewing.page.getByRole("region", { name: "Key", exact: true })).toContainText(
    "The bank’s statement",
  );
  const replayed = reviewing.pay("9");
  expect(await replayed).toMatchObject({ output: { receipt: "R-by-hand" } });
});

test("Keys: purging asks first, and says what it did", async ({ context }) => {
  const { page, panel, pay } = await openTab(context);
  for (const id of ["1", "2"]) {
    const call = pay(id);
    await running(page);
    await finish(page);
    await call;
    await page.evaluate(() => Reflect.deleteProperty(window, "finish"));
  }
  await panel.open("Keys");
  await panel.row("pay:1").click();
  await page.getByRole("button", { name: "Purge…" }).click();
  const dialog = page.getByRole("dialog", { name: "Purge this key?" });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(panel.row("pay:1")).toBeVisible();
  await page.getByRole("button", { name: "Purge…" }).click();
  await dialog.getByRole("button", { name: "Purge" }).click();
  await expect(page.getByText("1 key purged.")).toBeVisible();
  await expect(panel.row("pay:1")).toHaveCount(0);

  await expect(page.getByRole("button", { name: "Purge these…" })).toBeDisabled();
  await page.getByLabel("Prefix").fill("pay:");
  await page.getByRole("button", { name: "Purge these…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Purge" }).click();
  await expect(panel.row("pay:2")).toHaveCount(0);
});

test("Profile: who coordinates and what is stored", async ({ context }) => {
  const { page, panel, pay } = await openTab(context);
  const call = pay("1");
  await running(page);
  await panel.open("Profile");
  await expect(page.getByText("shared: one SharedWorker coordinates all tabs")).toBeVisible();
  const storage = page.getByRole("region", { name: "Storage" });
  await expect(storage).toContainText("Claimed1");
  await expect(storage).toContainText(/Used\d/);
  await finish(page);
  await call;
  // Opened again, it asks again.
  await panel.open("Tools");
  await panel.open("Profile");
  await expect(storage).toContainText("Completed1");
});

test("the demo loads the Inspector when it is first wanted, and shows what agents do in its tabs", async ({
  openTab: openDemo,
  server,
}) => {
  const [{ page }, other] = [await openDemo(), await openDemo()];
  await server.reset();
  const scripts = () =>
    page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const isInspector = (name: string) => /inspector.*\.js$/.test(name);
  expect((await scripts()).some(isInspector)).toBe(false);
  await page.bringToFront();
  await page.getByTestId("inspector").click();
  const panel = InspectorPanel.on(page);
  await panel.open("Calls");
  expect((await scripts()).some(isInspector)).toBe(true);
  await cancelOrder(other, "A-1001", "op-1");
  await expect(panel.row(/tab 2cancel_order.*succeeded/)).toBeVisible();
  await page.getByTestId("inspector").click();
  await expect(panel.host).toHaveCount(0);
});
