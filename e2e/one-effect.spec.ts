import { Agent } from "./support/agent.js";
import {
  cancelOrder,
  expect,
  recordedKeys,
  stage,
  stages,
  type Tab,
  test,
} from "./support/test.js";

const openTabs = async (open: (query?: string) => Promise<Tab>, count: number): Promise<Tab[]> => {
  const tabs: Tab[] = [];
  for (let index = 0; index < count; index++) tabs.push(await open());
  return tabs;
};

const answered = (orderId: string) => ({
  status: "answered",
  output: { orderId, status: "cancelled", cancelledAt: expect.any(String) },
});

test("four tabs that call with one key at the same moment cause one effect and get equal answers", async ({
  server,
  openTab,
}) => {
  const tabs = await openTabs(openTab, 4);
  const outcomes = await Promise.all(tabs.map((tab) => cancelOrder(tab, "A-1001", "op-1")));
  expect(outcomes[0]).toEqual(answered("A-1001"));
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  expect(await server.effects()).toHaveLength(1);
});

test("twenty keys in four tabs cause twenty effects", async ({ server, openTab }) => {
  const tabs = await openTabs(openTab, 4);
  const orders = (await server.openOrders()).slice(0, 20);
  expect(orders).toHaveLength(20);
  const outcomes = await Promise.all(
    orders.map((orderId) => Promise.all(tabs.map((tab) => cancelOrder(tab, orderId, "op-1")))),
  );
  outcomes.forEach((equal, index) => {
    expect(equal[0]).toEqual(answered(orders[index] ?? ""));
    for (const outcome of equal) expect(outcome).toEqual(equal[0]);
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
  expect(await cancelOrder(later, "A-1002", "op-1")).toEqual(first[0]);
  expect(await stages(later.page)).not.toContain("confirmation_requested");

  for (const page of context.pages()) if (page.url() !== "about:blank") await page.close();
  const reopened = await openTab("?ask=1");
  expect(await cancelOrder(reopened, "A-1002", "op-1")).toEqual(first[0]);
  expect(await stages(reopened.page)).toContain("replayed");
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
  expect(await waited).toEqual(await owned);
  expect(await stages(waiter.page)).toContain("replayed");
  expect(await stages(waiter.page)).not.toContain("executed");
  expect(await server.effects()).toHaveLength(1);
  expect(await recordedKeys(waiter.page)).toHaveLength(1);
});

test("an equal key with another intent is refused in every tab, and runs nothing", async ({
  openLab,
}) => {
  const pages = [await openLab(), await openLab()];
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
  const agents = await Promise.all(pages.map((page) => Agent.of(page)));
  const pay = (tab: number, amount: number) =>
    agents[tab]?.call("send_payment", { amount: String(amount) });
  expect(await pay(0, 1)).toEqual({ status: "answered", output: { amount: "1" } });
  expect(await pay(1, 1)).toEqual({ status: "answered", output: { amount: "1" } });
  expect(await pay(1, 2)).toMatchObject({
    status: "failed",
    error: { code: "idempotency_conflict" },
  });
});
