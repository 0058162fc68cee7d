import type { Page } from "@playwright/test";
import { callInAll, callTool } from "signett/testing/playwright";
import { expect, ready, test } from "./support/test.js";

const input = (orderId: string) => ({ orderId, operationId: "op-1" });

test("the README's tool, as it stands there, does in two tabs what the README says", async ({
  context,
  server,
}) => {
  const pages: Page[] = [];
  for (let tab = 0; tab < 2; tab++) {
    const page = await context.newPage();
    await page.goto("/samples.html");
    await ready(page);
    pages.push(page);
  }
  await server.set({ answers: "lost" });
  const outcomes = await callInAll(pages, "cancel_order", input("A-1001"));
  expect(outcomes).toHaveConverged();
  expect(outcomes[0]).toMatchObject({ output: { orderId: "A-1001", status: "cancelled" } });
  expect(await server.effects()).toHaveLength(1);

  await server.set({ answers: "normal" });
  for (const page of pages) {
    expect(await callTool(page, "cancel_order", input("A-1006"))).toMatchObject({
      status: "failed",
      error: { code: "not_cancellable" },
    });
  }
  expect(await server.effects()).toHaveLength(1);
});
