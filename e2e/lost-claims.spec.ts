import type { Page } from "@playwright/test";
import { freezeTab, thawTab } from "signett/testing/playwright";
import { cancelled, cancelOrder, expect, stage, stages, test } from "./support/test.js";

/** What WebKit does to a page that it has cached: the page is shown again, and its locks are gone. */
const showAgain = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));

/** The locks that mark tabs with open work alive. */
const signsOfLife = (page: Page) =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.flatMap(({ name = "" }) => (name.startsWith("signett:client:") ? [name] : []));
  });

test("a tab whose claim is lost at its prompt asks no more; another completes, and it gets that answer", async ({
  server,
  openTab,
}) => {
  const [lost, other] = [await openTab("?ask=1"), await openTab()];
  const call = cancelOrder(lost, "A-1001", "op-1");
  await stage(lost.page, "confirmation_requested");
  const waited = cancelOrder(other, "A-1001", "op-1");
  await stage(other.page, "waiting");

  await showAgain(lost.page);
  expect(await call).toMatchObject({ status: "failed", error: { code: "claim_lost" } });
  await expect(lost.page.getByRole("dialog")).toBeHidden();
  const answer = await waited;
  expect(answer).toEqual(cancelled("A-1001"));
  expect([answer, await cancelOrder(lost, "A-1001", "op-1")]).toHaveConverged();
  expect(await server.effects()).toHaveLength(1);
  await expect.poll(() => signsOfLife(lost.page)).toEqual([]);
});

test("a tab that stood still at its prompt while another completed gets the other's answer", async ({
  server,
  openTab,
}) => {
  // The other tab is the first to call, so that the worker does not stand still with the one.
  const [other, still] = [await openTab(), await openTab("?ask=1")];
  await cancelOrder(other, "A-1002", "op-1");
  const call = cancelOrder(still, "A-1003", "op-2");
  await stage(still.page, "confirmation_requested");
  // The other tab's outlasts its call by a moment.
  await expect.poll(() => signsOfLife(other.page)).toHaveLength(1);
  const [sign = ""] = await signsOfLife(other.page);

  await freezeTab(still.page);
  const waited = cancelOrder(other, "A-1003", "op-2");
  await stage(other.page, "waiting");
  await other.page.evaluate((name) => {
    void navigator.locks.request(name, { steal: true }, () => {});
  }, sign);
  const answer = await waited;
  expect(answer).toEqual(cancelled("A-1003"));

  await thawTab(still.page);
  const late = await call;
  expect([answer, late]).toHaveConverged();
  expect(late).toBeReplayed();
  expect(await server.effects()).toHaveLength(2);
});

test("a handler whose claim is lost is told by its signal, and another tab recovers", async ({
  server,
  openTab,
}) => {
  const [lost, other] = [await openTab(), await openTab()];
  await server.set({ answers: "held" });
  const call = cancelOrder(lost, "A-1004", "op-1");
  await server.holding(1);
  await showAgain(lost.page);
  // Its request is aborted with the signal: the answer that the server still holds is not waited for.
  expect(await call).toMatchObject({ status: "failed", error: { code: "claim_lost" } });
  expect(await cancelOrder(other, "A-1004", "op-1")).toEqual(cancelled("A-1004"));
  expect(await stages(other.page)).toContain("recovered");
  expect(await server.effects()).toHaveLength(1);
});
