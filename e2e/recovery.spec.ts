import { Agent } from "./support/agent.js";
import { cancelOrder, expect, ready, stage, stages, test } from "./support/test.js";

const cancelled = (orderId: string) => ({
  status: "answered",
  output: { orderId, status: "cancelled", cancelledAt: expect.any(String) },
});

test("the owner's tab is closed after the commit: a waiting tab recovers from the receipt", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const lost = cancelOrder(owner, "A-1001", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1001", "op-1");
  await stage(waiter.page, "waiting");
  await owner.page.close();
  expect(await lost).toEqual({ status: "gone" });
  expect(await waited).toEqual(cancelled("A-1001"));
  expect(await stages(waiter.page)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's tab is closed while its prompt is open: the waiting tab asks for itself", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab("?ask=1"), await openTab("?ask=1")];
  const lost = cancelOrder(owner, "A-1002", "op-1");
  await stage(owner.page, "confirmation_requested");
  const waited = cancelOrder(waiter, "A-1002", "op-1");
  await stage(waiter.page, "waiting");
  expect(await stages(waiter.page)).not.toContain("confirmation_requested");
  await owner.page.close();
  expect(await lost).toEqual({ status: "gone" });
  await stage(waiter.page, "confirmation_requested");
  expect(await server.effects()).toHaveLength(0);
  await waiter.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  expect(await waited).toEqual(cancelled("A-1002"));
  expect(await stages(waiter.page)).not.toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("the answer is lost after the commit: the call recovers it from the receipt", async ({
  server,
  openTab,
}) => {
  const [tab, other] = [await openTab(), await openTab()];
  await server.set({ answers: "lost" });
  const outcome = await cancelOrder(tab, "A-1003", "op-1");
  expect(outcome).toEqual(cancelled("A-1003"));
  expect(await stages(tab.page)).toContain("recovered");
  expect(await cancelOrder(other, "A-1003", "op-1")).toEqual(outcome);
  expect(await server.effects()).toHaveLength(1);
});

test("the receipt can't be read: the outcome is unknown, and stays without a second effect", async ({
  server,
  openTab,
}) => {
  const [tab, other] = [await openTab(), await openTab()];
  await server.set({ answers: "lost", receipts: "unreadable" });
  const unknown = {
    status: "failed",
    error: {
      name: "OutcomeUnknownError",
      code: "outcome_unknown",
      message: expect.stringContaining("Do not retry with a new operation key"),
    },
  };
  expect(await cancelOrder(tab, "A-1004", "op-1")).toEqual(unknown);
  for (const caller of [tab, other, tab]) {
    expect(await cancelOrder(caller, "A-1004", "op-1")).toEqual(unknown);
  }
  expect(await server.effects()).toHaveLength(1);

  // The authority can be asked again, and the operation ends as it really went.
  await server.set({ answers: "normal", receipts: "normal" });
  expect(await cancelOrder(other, "A-1004", "op-1")).toEqual(cancelled("A-1004"));
  expect(await server.effects()).toHaveLength(1);
});

test("the only tab reloads in the middle of a call: the next call recovers", async ({
  server,
  openTab,
}) => {
  const { page, agent } = await openTab();
  await server.set({ answers: "held" });
  const lost = agent.call("cancel_order", { orderId: "A-1005", operationId: "op-1" });
  await server.holding(1);
  await page.reload();
  await ready(page);
  expect(await lost).toEqual({ status: "gone" });
  await server.set({ answers: "normal" });
  const reloaded = { page, agent: await Agent.of(page) };
  expect(await cancelOrder(reloaded, "A-1005", "op-1")).toEqual(cancelled("A-1005"));
  expect(await stages(page)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's renderer, which hosts the worker, crashes: survivors reconnect and recover", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const lost = cancelOrder(owner, "A-1007", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1007", "op-1");
  await stage(waiter.page, "waiting");
  const session = await owner.page.context().newCDPSession(owner.page);
  session.send("Page.crash").catch(() => {});
  expect(await lost).toEqual({ status: "gone" });
  await server.set({ answers: "normal" });
  expect(await waited).toEqual(cancelled("A-1007"));
  expect(await server.effects()).toHaveLength(1);
});
