import { closeTab, crashTab } from "signett/testing/playwright";
import {
  cancelled,
  cancelOrder,
  expect,
  gone,
  ready,
  stage,
  stages,
  test,
} from "./support/test.js";

test("the owner's tab is closed after the commit: a waiting tab recovers from the receipt (C001, GoogleChromeLabs/comlink#673)", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const lost = cancelOrder(owner, "A-1001", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1001", "op-1");
  await stage(waiter.page, "waiting");
  await closeTab(owner.page);
  expect(await lost).toMatchObject(gone);
  expect(await waited).toEqual(cancelled("A-1001"));
  expect(await stages(waiter.page)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's tab is closed while its prompt is open: the waiting tab asks for itself (C136, powersync-ja/powersync-js#775)", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab("?ask=1"), await openTab("?ask=1")];
  const lost = cancelOrder(owner, "A-1002", "op-1");
  await stage(owner.page, "confirmation_requested");
  const waited = cancelOrder(waiter, "A-1002", "op-1");
  await stage(waiter.page, "waiting");
  expect(await stages(waiter.page)).not.toContain("confirmation_requested");
  await closeTab(owner.page);
  expect(await lost).toMatchObject(gone);
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
  expect([outcome, await cancelOrder(other, "A-1003", "op-1")]).toHaveConverged();
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
  expect(await cancelOrder(tab, "A-1004", "op-1")).toMatchObject(unknown);
  for (const caller of [tab, other, tab]) {
    expect(await cancelOrder(caller, "A-1004", "op-1")).toMatchObject(unknown);
  }
  expect(await server.effects()).toHaveLength(1);

  // The authority can be asked again, and the operation ends as it really went.
  await server.set({ answers: "normal", receipts: "normal" });
  expect(await cancelOrder(other, "A-1004", "op-1")).toEqual(cancelled("A-1004"));
  expect(await server.effects()).toHaveLength(1);
});

test("the only tab reloads in the middle of a call: the next call recovers (C010, whatwg/html#9278)", async ({
  server,
  openTab,
}) => {
  const tab = await openTab();
  await server.set({ answers: "held" });
  const lost = cancelOrder(tab, "A-1005", "op-1");
  await server.holding(1);
  await tab.page.reload();
  await ready(tab.page);
  expect(await lost).toMatchObject(gone);
  await server.set({ answers: "normal" });
  expect(await cancelOrder(tab, "A-1005", "op-1")).toEqual(cancelled("A-1005"));
  expect(await stages(tab.page)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's tab reloads in the middle of a call: a tab that waits recovers, and so does the reloaded one (C014, OpenSlides/openslides-client#2127)", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const lost = cancelOrder(owner, "A-1002", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1002", "op-1");
  await stage(waiter.page, "waiting");
  await owner.page.reload();
  await ready(owner.page);
  expect(await lost).toMatchObject(gone);
  expect(await waited).toEqual(cancelled("A-1002"));
  expect(await cancelOrder(owner, "A-1002", "op-1")).toEqual(cancelled("A-1002"));
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's renderer, which hosts the worker, crashes: survivors reconnect and recover (C069, electric-sql/pglite#863)", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const lost = cancelOrder(owner, "A-1007", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1007", "op-1");
  await stage(waiter.page, "waiting");
  await crashTab(owner.page);
  expect(await lost).toMatchObject(gone);
  await server.set({ answers: "normal" });
  expect(await waited).toEqual(cancelled("A-1007"));
  expect(await server.effects()).toHaveLength(1);
});
