import { callTool, workers } from "signett/testing/playwright";
import { cancelOrder, expect, recordedKeys, stage, stages, test } from "./support/test.js";

test("a denied call has no effect and leaves no record", async ({ server, openTab }) => {
  const tab = await openTab("?ask=0&scope=none");
  const outcome = await cancelOrder(tab, "A-1001", "op-1");
  expect(outcome).toMatchObject({ status: "failed", error: { code: "authorization_denied" } });
  expect(await server.effects()).toHaveLength(0);
  expect(await recordedKeys(tab.page)).toEqual([]);
});

test("a replay is denied too when the permission is gone", async ({ server, openTab }) => {
  const allowed = await openTab();
  expect((await cancelOrder(allowed, "A-1001", "op-1")).status).toBe("answered");
  const denied = await openTab("?ask=0&scope=none");
  const outcome = await cancelOrder(denied, "A-1001", "op-1");
  expect(outcome).toMatchObject({ status: "failed", error: { code: "authorization_denied" } });
  expect(await server.effects()).toHaveLength(1);
});

test("invalid input is refused before anything happens, and its message names the fault", async ({
  server,
  openTab,
}) => {
  const tab = await openTab();
  for (const input of [{}, { orderId: "A-1001" }, { orderId: "x", operationId: "op-1" }]) {
    const outcome = await callTool(tab.page, "cancel_order", input);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
  }
  const extra = { orderId: "A-1001", operationId: "op-1", force: "yes" };
  expect(await callTool(tab.page, "cancel_order", extra)).toMatchObject({
    error: { code: "invalid_input", message: expect.stringContaining("/force") },
  });
  expect(await server.effects()).toHaveLength(0);
  expect(await recordedKeys(tab.page)).toEqual([]);
});

test("a declined call has no effect, leaves no record, and can be made again", async ({
  server,
  openTab,
}) => {
  const tab = await openTab("?ask=1");
  const declined = cancelOrder(tab, "A-1002", "op-1");
  await stage(tab.page, "confirmation_requested");
  await tab.page.getByRole("dialog").getByRole("button", { name: "Decline" }).click();
  expect(await declined).toMatchObject({
    status: "failed",
    error: { code: "confirmation_declined" },
  });
  expect(await server.effects()).toHaveLength(0);
  expect(await recordedKeys(tab.page)).toEqual([]);

  const again = cancelOrder(tab, "A-1002", "op-1");
  await tab.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  expect((await again).status).toBe("answered");
  expect(await server.effects()).toHaveLength(1);
});

test("what the server refused leaves the key free", async ({ server, openTab }) => {
  const tab = await openTab();
  const shipped = await callTool(tab.page, "list_orders", { status: "shipped" });
  const { orders } = (shipped as { output: { orders: { id: string }[] } }).output;
  const orderId = orders[0]?.id ?? "";
  for (let call = 0; call < 2; call++) {
    expect(await cancelOrder(tab, orderId, "op-1")).toMatchObject({
      status: "failed",
      error: {
        name: "ToolError",
        code: "order_already_shipped",
        message: expect.stringContaining("Shipped orders cannot be cancelled."),
      },
    });
  }
  expect(await recordedKeys(tab.page)).toEqual([]);
  expect(await stages(tab.page)).not.toContain("outcome_unknown");
  expect(await server.effects()).toHaveLength(0);
});

test("reading needs no worker: the profile starts with the first idempotent call (C084, Expensify/App#87862)", async ({
  context,
  openTab,
  server,
}) => {
  const tab = await openTab();
  expect((await callTool(tab.page, "list_orders")).status).toBe("answered");
  expect(await recordedKeys(tab.page)).toEqual([]);
  expect(await workers(context)).toHaveLength(0);
  expect((await cancelOrder(tab, "A-1001", "op-1")).status).toBe("answered");
  expect(await workers(context)).toHaveLength(1);
  expect(await server.effects()).toHaveLength(1);
});
