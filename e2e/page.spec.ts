import { expect, ready, test } from "./support/test.js";

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
