import type { Page } from "@playwright/test";
import { crashTab } from "signett/testing/playwright";
import { expect, ready, stage, test } from "./support/test.js";

/** A person calls `cancel_order` from the panel. */
async function call(page: Page, orderId: string, button = "agent-call"): Promise<void> {
  await page.bringToFront();
  await page.getByTestId("agent-order").fill(orderId);
  await page.getByTestId(button).click();
}

/** What the browser tells a page that goes into its back/forward cache, or comes back. */
const move = (page: Page, type: "pagehide" | "pageshow") =>
  page.evaluate(
    (name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })),
    type,
  );

test("a person calls in all tabs and sees one effect, every answer, and what each tab did", async ({
  openTab,
  server,
}) => {
  const [{ page }, other] = [await openTab(), await openTab()];
  await page.bringToFront();
  await expect(page.getByTestId("agent-mode")).toHaveText(/native webmcp/i);
  await page.getByTestId("agent-order").fill("A-1001");
  await page.getByTestId("agent-everywhere").click();
  for (const tab of [page, other.page]) {
    await expect(tab.getByTestId("effects-headline")).toHaveText("1 effect · 2 answers");
  }
  await expect(page.getByTestId("tabs")).toContainText("executed here");
  await expect(page.getByTestId("tabs")).toContainText("stored answer replayed");
  await expect(page.getByTestId("order-A-1001")).toContainText("Cancelled");
  expect(await server.effects()).toHaveLength(1);
});

test("by keyboard alone: call, approve, and repeat without being asked again", async ({
  openTab,
  server,
}) => {
  const { page } = await openTab("?ask=1");
  await page.bringToFront();
  await page.getByTestId("agent-order").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("A-1002");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("approval")).toBeVisible();
  // A dialog about something that can't be undone starts on the safe choice.
  await expect(page.getByTestId("decline")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByTestId("approve")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 1 answer");

  await page.getByTestId("agent-operation").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 2 answers");
  await expect(page.getByTestId("approval")).toBeHidden();
  expect(await server.effects()).toHaveLength(1);
});

test("in a browser without WebMCP the page calls the same registered tools", async ({
  context,
  server,
}) => {
  const page = await context.newPage();
  await page.addInitScript(() => Reflect.deleteProperty(Document.prototype, "modelContext"));
  await page.goto("/?ask=0");
  await ready(page);
  await expect(page.getByTestId("agent-mode")).not.toHaveText(/native/i);
  await page.getByTestId("agent-order").fill("A-1003");
  await page.getByTestId("agent-call").click();
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 1 answer");

  // An error keeps its message here, which `executeTool` loses.
  await page.getByTestId("agent-order").fill("A-1006");
  await page.getByTestId("agent-call").click();
  await expect(page.getByTestId("answers")).toContainText("Shipped orders cannot be cancelled.");
  expect(await server.effects()).toHaveLength(1);
});

test("the page shows a lost answer that was recovered, and another tab opens from it", async ({
  openTab,
  context,
  server,
}) => {
  const { page } = await openTab();
  await page.bringToFront();
  await page.getByTestId("answers-lost").check();
  await page.getByTestId("agent-order").fill("A-1004");
  await page.getByTestId("agent-call").click();
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 1 answer");
  await expect(page.getByTestId("tabs")).toContainText(/recovered/i);

  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    page.getByTestId("open-tab").click(),
  ]);
  await ready(opened);
  await expect(page.getByTestId(/^tab-\d+$/)).toHaveCount(2);
  expect(await server.effects()).toHaveLength(1);
});

test("while calls run the headline says so, and counts effects when the last one has its answer", async ({
  openTab,
  server,
}) => {
  const [{ page }, other] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  await call(page, "A-1004", "agent-everywhere");
  for (const tab of [page, other.page]) {
    await expect(tab.getByTestId("effects-headline")).toHaveText("Running…");
    await expect(tab.getByTestId("effects-subject")).toHaveText(/A-1004.*, 0 answers so far$/);
  }
  await server.holding(1);
  await server.set({ answers: "normal" });
  for (const tab of [page, other.page]) {
    await expect(tab.getByTestId("effects-headline")).toHaveText("1 effect · 2 answers");
  }
});

test("a tab closes in the middle of its call: the others drop the call and show what it did", async ({
  openTab,
  server,
}) => {
  const [{ page }, closing] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  await call(closing.page, "A-1004");
  await server.holding(1);
  const order = page.getByTestId("order-A-1004");
  await expect(order.getByRole("button")).toHaveText("Cancelling…");
  await expect(page.getByTestId("answer")).toContainText("Running…");

  await closing.page.close();
  await expect(page.getByTestId("answer")).toContainText("Tab closed or reloaded");
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 0 answers");
  await expect(page.getByTestId("effects-total")).toHaveText("1");
  await expect(order).toContainText("Cancelled");
  await expect(order.getByRole("button")).toBeHidden();
});

test("a closed tab's effect that is committed a moment later shows too, and its row was free before", async ({
  openTab,
  server,
}) => {
  const [{ page }, closing] = [await openTab(), await openTab("?ask=1")];
  await call(closing.page, "A-1004");
  await stage(closing.page, "confirmation_requested");
  const order = page.getByTestId("order-A-1004");
  await expect(order.getByRole("button")).toHaveText("Cancelling…");

  const read = page.waitForResponse(/effects\?prefix=acct-demo/);
  await closing.page.close();
  await read;
  await expect(order.getByRole("button")).toHaveText("Cancel");
  await expect(page.getByTestId("effects-headline")).toHaveText("0 effects · 0 answers");
  const late = await page.request.post("/api/orders/A-1004/cancel", {
    headers: { "Idempotency-Key": "late", "X-Request-Id": "late" },
    data: {},
  });
  expect(late.ok()).toBe(true);
  await expect(order).toContainText("Cancelled");
  await expect(page.getByTestId("effects-total")).toHaveText("1");
  expect(await server.effects()).toHaveLength(1);
});

test("a tab that crashes in the middle of its call is missed, though it says no goodbye", async ({
  openTab,
  server,
}) => {
  const [{ page }, crashing] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  await call(crashing.page, "A-1004");
  await server.holding(1);
  await page.bringToFront();
  await crashTab(crashing.page);
  await expect(page.getByTestId("answer")).toContainText("Tab closed or reloaded", {
    timeout: 15_000,
  });
  await expect(page.getByTestId("order-A-1004")).toContainText("Cancelled");
});

test("a tab that comes back from the cache tells of its calls, and hears the answers it missed", async ({
  openTab,
  server,
}) => {
  const [calling, { page }] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  await call(calling.page, "A-1004");
  await server.holding(1);
  const answer = page.getByTestId("answer");
  await expect(answer).toContainText("Running…");

  await move(page, "pagehide");
  await server.set({ answers: "normal" });
  await expect(calling.page.getByTestId("answer")).toContainText("cancelledAt");
  await expect(answer).toContainText("Running…");
  await move(page, "pageshow");
  await expect(answer).toContainText("cancelledAt");

  await call(calling.page, "A-1006");
  await expect(answer.first()).toContainText("order_already_shipped");
});

test("while a hidden tab asks for approval, the tab that called says where to approve", async ({
  openTab,
  server,
}) => {
  const [{ page }, asking] = [await openTab("?ask=1"), await openTab("?ask=1")];
  const hint = page.getByTestId("approval-elsewhere");
  await call(asking.page, "A-1004");
  await stage(asking.page, "confirmation_requested");
  await expect(hint).toHaveText(
    `Approve it in ${await asking.page.getByTestId("self").textContent()}`,
  );
  await expect(asking.page.getByTestId("approval-elsewhere")).toBeEmpty();
  await asking.page.getByTestId("approve").click();
  await expect(page.getByTestId("effects-headline")).toHaveText("1 effect · 1 answer");
  await expect(hint).toBeEmpty();
  expect(await server.effects()).toHaveLength(1);
});
