import type {} from "./pages/inspector-tab.js";
import { InspectorPanel } from "./support/inspector.js";
import { expect, ready, test } from "./support/test.js";

/** Everything that a page can be asked about what was attached to it. */
const traces = () => ({
  html: document.documentElement.outerHTML,
  sheets: document.adoptedStyleSheets.length + document.styleSheets.length,
  storage: localStorage.length + sessionStorage.length,
  properties: Object.getOwnPropertyNames(window).length,
});

test("removed, it leaves nothing on the page, and the page nothing of it in memory", async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    Object.assign(window, { attached: [] });
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...rest) {
      const ofPage = this === window || this instanceof Document || this === document.body;
      if (ofPage) Reflect.get(window, "attached").push(rest[0]);
      Reflect.apply(addEventListener, this, rest);
    };
  });
  await page.goto("/inspector.html");
  await ready(page);
  const attached = () => page.evaluate(() => Reflect.get(window, "attached"));
  const before = await page.evaluate(traces);
  const listeners = await attached();

  await page.evaluate(() => window.inspector.open());
  const panel = page.locator("signett-inspector");
  await expect(panel).toBeVisible();
  await page.getByRole("tab", { name: /^Calls/ }).click();
  await page.evaluate(() => window.inspector.hold());
  await expect(page.getByRole("row", { name: /hold_order executing/ })).toBeVisible();
  await page.evaluate(() => {
    const host = document.querySelector("signett-inspector");
    Object.assign(window, { host: host && new WeakRef(host) });
  });
  await page.getByRole("button", { name: "Close the Inspector" }).click();
  await page.evaluate(() => window.inspector.remove());

  await expect(panel).toHaveCount(0);
  await page.evaluate(() => window.inspector.finish());
  await page.evaluate(() => window.inspector.callOften(3));
  expect(await attached()).toEqual(listeners);
  const session = await context.newCDPSession(page);
  await expect
    .poll(async () => {
      await session.send("HeapProfiler.collectGarbage");
      return page.evaluate(() => Reflect.get(window, "host").deref() === undefined);
    })
    .toBe(true);
  await page.evaluate(() => Reflect.deleteProperty(window, "host"));
  expect(await page.evaluate(traces)).toEqual(before);
});

test("removed, it watches neither tabs nor keys any more", async ({ page, context }) => {
  await page.goto("/inspector-tab.html");
  await ready(page);
  for (const view of [/^Calls/, /^Profile/, /^Keys/]) {
    await page.getByRole("tab", { name: view }).click();
  }
  await expect(page.getByText("0 keys")).toBeVisible();
  await page.evaluate(() => {
    const host = document.querySelector("signett-inspector");
    Object.assign(window, { host: host && new WeakRef(host) });
    window.unmount();
  });
  const session = await context.newCDPSession(page);
  await expect
    .poll(async () => {
      await session.send("HeapProfiler.collectGarbage");
      return page.evaluate(() => Reflect.get(window, "host").deref() === undefined);
    })
    .toBe(true);
});

test("with 10,000 calls only what can be seen is in the page, and the list stays usable", async ({
  page,
  context,
}, { annotations }) => {
  test.setTimeout(120_000);
  const panel = await InspectorPanel.mount(page);
  await panel.open("Calls");
  await page.evaluate(() => window.inspector.callOften(10_000));
  await expect(page.getByText("10000 calls, 0 running")).toBeVisible();
  const grid = panel.grid("Calls");
  const rows = () => page.locator(".view:not([hidden]) .rows > .row").count();
  expect(await rows()).toBeLessThan(80);
  await expect(page.locator('[aria-rowindex="10001"]')).toBeVisible();

  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value * 1_000]));
  };
  const before = await spent();
  const frames = await grid.evaluate(async (element) => {
    const count = 120;
    for (let frame = 1; frame <= count; frame++) {
      element.scrollTop = (element.scrollHeight * frame) / count;
      await new Promise(requestAnimationFrame);
    }
    return count;
  });
  const after = await spent();
  const cost = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / frames;
  const figures = ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].map(
    (name) => `${name} ${cost(name).toFixed(2)} ms`,
  );
  annotations.push({ type: "cost of a frame while scrolling", description: figures.join(", ") });
  console.log(`10,000 calls, per frame while scrolling: ${figures.join(", ")}`);

  expect(await rows()).toBeLessThan(80);
  await page.getByLabel("Filter").fill("invalid_input");
  await expect(page.getByText("1000 of 10000 calls, 0 running")).toBeVisible();
  await grid.focus();
  await page.keyboard.press("Home");
  await expect(page.locator('[aria-rowindex="2"][aria-selected="true"]')).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.locator('[aria-rowindex="1001"][aria-selected="true"]')).toBeVisible();
});
