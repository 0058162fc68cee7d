import type { Page } from "@playwright/test";
import { callTool } from "signett/testing/playwright";
import {
  cancelled,
  cancelOrder,
  expect,
  recordedKeys,
  stage,
  type Tab,
  test,
} from "./support/test.js";

const openTabs = async (open: (query?: string) => Promise<Tab>, count: number): Promise<Tab[]> => {
  const tabs: Tab[] = [];
  for (let index = 0; index < count; index++) tabs.push(await open());
  return tabs;
};

test("four tabs that call with one key at the same moment cause one effect and get equal answers (C070, livestorejs/livestore#763)", async ({
  server,
  openTab,
}) => {
  const tabs = await openTabs(openTab, 4);
  const outcomes = await Promise.all(tabs.map((tab) => cancelOrder(tab, "A-1001", "op-1")));
  expect(outcomes[0]).toEqual(cancelled("A-1001"));
  expect(outcomes).toHaveConverged();
  expect(await server.effects()).toHaveLength(1);
});

test("five tabs whose processor is six times slower cause one effect and get equal answers (C063, pubkey/broadcast-channel#385; C064, pubkey/broadcast-channel#414)", async ({
  server,
  openTab,
}) => {
  test.setTimeout(90_000);
  const tabs = await openTabs(openTab, 5);
  for (const { page } of tabs) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  }
  const outcomes = await Promise.all(tabs.map((tab) => cancelOrder(tab, "A-1001", "op-1")));
  expect(outcomes[0]).toEqual(cancelled("A-1001"));
  expect(outcomes).toHaveConverged();
  expect(await server.effects()).toHaveLength(1);
});

test("twenty keys in four tabs cause twenty effects (C138, element-hq/element-web#26231)", async ({
  server,
  openTab,
}) => {
  const tabs = await openTabs(openTab, 4);
  const orders = (await server.openOrders()).slice(0, 20);
  expect(orders).toHaveLength(20);
  const outcomes = await Promise.all(
    orders.map((orderId) => Promise.all(tabs.map((tab) => cancelOrder(tab, orderId, "op-1")))),
  );
  outcomes.forEach((equal, index) => {
    expect(equal[0]).toEqual(cancelled(orders[index] ?? ""));
    expect(equal).toHaveConverged();
  });
  const effects = await server.effects();
  expect(effects.map(({ orderId }) => orderId).sort()).toEqual([...orders].sort());
});

test("a tab opened later, and one after all tabs were closed, get the stored answer without a prompt", async ({
  server,
  openTab,
  context,
}) => {
  const tabs = await openTabs(openTab, 2);
  const first = await Promise.all(tabs.map((tab) => cancelOrder(tab, "A-1002", "op-1")));

  // This tab asks before it cancels: a prompt would leave the call unanswered.
  const later = await openTab("?ask=1");
  const replay = await cancelOrder(later, "A-1002", "op-1");
  expect([...first, replay]).toHaveConverged();
  expect(replay.stages).not.toContain("confirmation_requested");

  for (const page of context.pages()) if (page.url() !== "about:blank") await page.close();
  const reopened = await openTab("?ask=1");
  const afterAll = await cancelOrder(reopened, "A-1002", "op-1");
  expect([...first, replay, afterAll]).toHaveConverged();
  expect(afterAll).toBeReplayed();
  expect(await server.effects()).toHaveLength(1);
});

test("different keys run at the same time", async ({ server, openTab }) => {
  const [one, two] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const calls = [
    cancelOrder(one, "A-1003", "op-1"),
    cancelOrder(one, "A-1004", "op-1"),
    cancelOrder(two, "A-1005", "op-1"),
  ];
  // All three are inside of their handlers at once: each has committed, and none has its answer.
  await server.holding(3);
  expect(await server.effects()).toHaveLength(3);
  await server.set({ answers: "normal" });
  for (const outcome of await Promise.all(calls)) expect(outcome.status).toBe("answered");
});

test("a caller that waits for another tab's owner is told so, and runs nothing", async ({
  server,
  openTab,
}) => {
  const [owner, waiter] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const owned = cancelOrder(owner, "A-1007", "op-1");
  await server.holding(1);
  const waited = cancelOrder(waiter, "A-1007", "op-1");
  await stage(waiter.page, "waiting");
  await server.set({ answers: "normal" });
  expect([await owned, await waited]).toHaveConverged();
  expect(await waited).toBeReplayed();
  expect((await waited).stages).not.toContain("executed");
  expect(await server.effects()).toHaveLength(1);
  expect(await recordedKeys(waiter.page)).toHaveLength(1);
});

test("an equal key with another intent is refused in every tab, and runs nothing", async ({
  openLab,
}) => {
  const pages = [await openLab(), await openLab()] as const;
  for (const page of pages) {
    await page.evaluate(async () => {
      const { client, signett } = window.lab;
      await signett.createSignett({ profile: client.connectProfile() }).expose({
        name: "send_payment",
        description: "Send one payment to a person.",
        inputSchema: { type: "object", properties: { amount: { type: "string" } } },
        idempotency: { key: () => "payment-1", fingerprint: true },
        execute: async ({ amount }, { operation }) => {
          await operation?.write({ amount });
          return { amount };
        },
      });
    });
  }
  const [one, two] = pages;
  const pay = (page: Page, amount: string) => callTool(page, "send_payment", { amount });
  for (const page of [one, two]) {
    expect(await pay(page, "1")).toMatchObject({ status: "answered", output: { amount: "1" } });
  }
  expect(await pay(two, "2")).toMatchObject({
    status: "failed",
    error: { code: "idempotency_conflict" },
  });
});
