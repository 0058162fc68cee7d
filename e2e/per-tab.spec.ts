import type { Page } from "@playwright/test";
import { callTool, closeTab } from "signett/testing/playwright";
import { expect, ready, test } from "./support/test.js";

declare global {
  interface Window {
    /** The stages of the page's calls. */
    readonly stages: string[];
    /** How often it has opened a database. */
    opened: number;
  }
}

/** A page with a `cancel_order` as the core concepts seed has it: each tab with a store and a journal of its own. */
async function openShop(open: () => Promise<Page>): Promise<Page> {
  const page = await open();
  await page.evaluate(async () => {
    const { createSignett, WebStorageOperationJournal } = window.lab.signett;
    const { IndexedDbIdempotencyStore } = window.lab.stores;
    const stages: string[] = [];
    Object.assign(window, { stages });
    const signett = createSignett({ observe: ({ stage }) => void stages.push(stage) });
    await signett.expose({
      name: "cancel_order",
      description: "Cancel one order by its ID.",
      inputSchema: {
        type: "object",
        properties: { orderId: { type: "string" }, operationId: { type: "string" } },
        required: ["orderId", "operationId"],
        additionalProperties: false,
      },
      idempotency: {
        store: new IndexedDbIdempotencyStore(),
        key: ({ input }) => [input.operationId, input.orderId, "cancel_order"].join(":"),
      },
      journal: { store: new WebStorageOperationJournal(sessionStorage, "signett:operation:") },
      execute: async ({ orderId, operationId }, { operation, signal }) => {
        await operation?.write({ orderId });
        const answer = await fetch(`/api/orders/${orderId}/cancel`, {
          method: "POST",
          headers: { "Idempotency-Key": operationId, "X-Request-Id": crypto.randomUUID() },
          signal,
        });
        const { order }: { order: { status: string } } = await answer.json();
        return order;
      },
      recover: async ({ input, operation, signal }) => {
        const correlation = await operation?.read<{ orderId: string }>();
        if (!correlation) return { recovered: false };
        const answer = await fetch(`/api/orders/${input.orderId}`, { signal });
        const order: { status: string } = await answer.json();
        return correlation.orderId === input.orderId && order.status === "cancelled"
          ? { recovered: true, output: order }
          : { recovered: false, outcome: "unknown" };
      },
    });
  });
  return page;
}

const cancel = (page: Page, input: typeof order) => callTool(page, "cancel_order", input);

const order = { orderId: "A-1001", operationId: "op-1" };

const unknown = {
  status: "failed",
  error: {
    name: "OutcomeUnknownError",
    code: "outcome_unknown",
    message: expect.stringContaining("Do not retry with a new operation key"),
  },
};

test("four tabs without a worker that call with one key cause one effect and get equal answers", async ({
  server,
  openLab,
}) => {
  const shops: Page[] = [];
  for (let index = 0; index < 4; index++) shops.push(await openShop(openLab));
  const outcomes = await Promise.all(shops.map((page) => cancel(page, order)));
  expect(outcomes[0]).toMatchObject({ status: "answered", output: { status: "cancelled" } });
  expect(outcomes).toHaveConverged();
  expect(await server.effects()).toHaveLength(1);
});

test("the owner's tab is closed after the commit, its journal with it: the outcome is unknown, and stays so", async ({
  server,
  openLab,
}) => {
  const [owner, other] = [await openShop(openLab), await openShop(openLab)];
  await server.set({ answers: "held" });
  const lost = cancel(owner, order);
  await server.holding(1);
  const waited = cancel(other, order);
  await other.waitForFunction(() => window.stages.includes("waiting"));
  await closeTab(owner);
  expect(await lost).toMatchObject({ status: "gone" });
  expect(await waited).toMatchObject(unknown);
  await server.set({ answers: "normal" });
  expect(await cancel(other, order)).toMatchObject(unknown);
  expect(await server.effects()).toHaveLength(1);
});

test("the tab that reloads after the commit still has its journal, and recovers", async ({
  server,
  openLab,
}) => {
  const before = await openShop(openLab);
  await server.set({ answers: "held" });
  const lost = cancel(before, order);
  await server.holding(1);
  const page = await openShop(async () => {
    await before.reload();
    await ready(before);
    return before;
  });
  expect(await lost).toMatchObject({ status: "gone" });
  expect(await cancel(page, order)).toMatchObject({ status: "answered" });
  expect(await page.evaluate(() => window.stages)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});

test("a tab keeps its connection, and makes way for another page that deletes the database", async ({
  server,
  openLab,
}) => {
  const page = await openShop(openLab);
  const other = await openLab();
  await page.evaluate(() => {
    const open = indexedDB.open.bind(indexedDB);
    window.opened = 0;
    indexedDB.open = (...asked) => {
      window.opened += 1;
      return open(...asked);
    };
  });
  const opened = () => page.evaluate(() => window.opened);
  const first = await cancel(page, order);
  expect([first, await cancel(page, order)]).toHaveConverged();
  await cancel(page, { ...order, orderId: "A-1002" });
  expect(await opened()).toBe(1);

  const deletion = await other.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const request = indexedDB.deleteDatabase("signett-stores");
        request.onblocked = () => resolve("blocked");
        request.onsuccess = () => resolve("done");
        request.onerror = () => reject(request.error);
      }),
  );
  expect(deletion).toBe("done");
  expect(await cancel(page, { ...order, orderId: "A-1003" })).toMatchObject({
    status: "answered",
  });
  expect(await opened()).toBe(2);
  expect(await server.effects()).toHaveLength(3);
});
