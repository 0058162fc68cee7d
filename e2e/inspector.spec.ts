import { InspectorPanel } from "./support/inspector.js";
import { expect, test } from "./support/test.js";

test("Tools: what agents trip over is listed where the developer works on the tool", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  await expect(panel.row(/list_orders.*only reads.*ready/)).toBeVisible();
  const detail = await panel.selectTool("FindCustomer");
  await expect(detail.getByText("name_not_verb_noun")).toBeVisible();
  await expect(detail.getByText("/inputSchema/properties/query").first()).toBeVisible();
  await detail.getByText("Schema", { exact: true }).click();
  await expect(detail.getByLabel("Schema", { exact: true })).toContainText('"query"');
});

test("Tools: a tool that comes or goes is listed or not, without another look", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  await expect(panel.row("hold_order")).toBeVisible();
  await page.evaluate(() => window.inspector.leave());
  await expect(panel.row("hold_order")).toBeHidden();
});

test("Tools: the form of the schema calls the tool, and faults show at their fields", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  const detail = await panel.selectTool("refund_order");
  const orderId = detail.getByLabel("orderId");
  await orderId.fill("B-1");
  await detail.getByRole("button", { name: "Add an item" }).click();
  await detail.getByLabel("sku").fill("S-1");
  await detail.getByLabel("quantity").fill("0");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText("ValidationError · invalid_input")).toBeVisible();
  await expect(orderId).toHaveAttribute("aria-invalid", "true");
  await expect(orderId).toHaveAccessibleDescription(/must match the pattern/);
  await expect(orderId).toBeFocused();
  await expect(detail.getByLabel("quantity")).toHaveAccessibleDescription(/must be at least 1/);

  await panel.data.click();
  await orderId.fill("A-1001");
  await detail.getByLabel("quantity").fill("2");
  await detail.getByLabel("notify").selectOption("true");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(orderId).not.toHaveAttribute("aria-invalid");
  const answer = detail.getByLabel("Answer");
  await expect(answer).toBeVisible();
  expect(JSON.parse((await answer.textContent()) ?? "")).toEqual({
    refunded: { orderId: "A-1001", notify: true, lines: [{ sku: "S-1", quantity: 2 }] },
  });
});

test("Tools: input can be written as JSON, and what is none is refused before the call", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  const detail = await panel.selectTool("refund_order");
  await detail.getByLabel("orderId").fill("A-1003");
  await detail.getByLabel("Write JSON").check();
  const json = detail.getByLabel("Input as JSON");
  expect(JSON.parse(await json.inputValue())).toEqual({ orderId: "A-1003" });
  await json.fill("{");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText("This is no JSON.")).toBeVisible();
  await json.fill('{ "orderId": "A-1003", "unexpected": 1 }');
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText(/\/unexpected/)).toBeVisible();
  await panel.open("Calls");
  await expect(panel.row("refund_order")).toHaveCount(1);
});

test("nothing that a tool answers is in the page until data is switched on, and after it is switched off", async ({
  page,
}) => {
  const panel = await InspectorPanel.mount(page);
  const everything = () =>
    panel.host.evaluate((host) => host.shadowRoot?.querySelector(".panel")?.textContent ?? "");
  let detail = await panel.selectTool("list_orders");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText("What it answered is hidden.")).toBeVisible();
  expect(await everything()).not.toContain("A-1002");
  await panel.data.click();
  await expect(detail.getByLabel("Answer")).toContainText("A-1002");
  await panel.data.click();
  await expect(detail.getByLabel("Answer")).toBeHidden();
  expect(await everything()).not.toContain("A-1002");

  detail = await panel.selectTool("refund_order");
  await detail.getByLabel("orderId").fill("A-0000");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText("ToolError · order_not_found")).toBeVisible();
  expect(await everything()).not.toContain("There is no A-0000");
});

test("Tools: a call that runs can be cancelled", async ({ page }) => {
  const panel = await InspectorPanel.mount(page);
  const detail = await panel.selectTool("hold_order");
  await detail.getByRole("button", { name: "Call", exact: true }).click();
  await expect(detail.getByText(/^Running for/)).toBeVisible();
  await detail.getByRole("button", { name: "Cancel" }).click();
  await page.evaluate(() => window.inspector.finish());
  // A finished effect is not rewritten as cancelled: the answer stands.
  await expect(detail.getByText(/^Answered after/)).toBeVisible();
  await panel.open("Calls");
  await panel.row("hold_order").click();
  await expect(page.getByRole("list", { name: "Stages", exact: true })).toContainText(
    "completed after abort",
  );
});

test("Calls: a call shows while it runs, and its own row tells how it ended", async ({ page }) => {
  const panel = await InspectorPanel.mount(page);
  await panel.open("Calls");
  await page.evaluate(() => window.inspector.hold());
  const row = panel.row("hold_order");
  await expect(row).toContainText("executing");
  await expect(row.locator('.bar[data-doing="execute"][data-open]')).toBeVisible();
  const element = await row.elementHandle();
  await page.evaluate(() => window.inspector.finish());
  await expect(row).toContainText("succeeded");
  expect(await row.evaluate((now, before) => now === before, element)).toBe(true);
  await expect(row.locator(".bar[data-open]")).toHaveCount(0);
});

test("Calls: a filter finds the calls that failed among many", async ({ page }) => {
  const panel = await InspectorPanel.mount(page);
  await panel.open("Calls");
  await page.evaluate(() => window.inspector.callOften(30));
  await expect(page.getByText("30 calls, 0 running")).toBeVisible();
  await page.getByLabel("Show", { exact: true }).selectOption("failed");
  await expect(page.getByText("3 of 30 calls, 0 running")).toBeVisible();
  await page.getByLabel("Filter").fill("hold");
  await expect(page.getByText("0 of 30 calls, 0 running")).toBeVisible();
  await page.getByLabel("Filter").fill("invalid_input");
  await expect(panel.row("invalid_input")).toHaveCount(3);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page.getByText("0 calls, 0 running")).toBeVisible();
});
