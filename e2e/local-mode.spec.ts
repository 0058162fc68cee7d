import { readdir } from "node:fs/promises";
import type { BrowserContext, Page } from "@playwright/test";
import { connect, mode, send } from "./support/lab-calls.js";
import { cancelOrder, expect, ready, test } from "./support/test.js";

declare global {
  interface Window {
    /** The database connections that the page has made. */
    readonly connections: { readonly opened: number; readonly closed: number };
  }
}

/** What the page warns of from now on. */
function warnings(page: Page): string[] {
  const texts: string[] = [];
  page.on("console", (message) => message.type() === "warning" && texts.push(message.text()));
  return texts;
}

/** Opens the lab under another policy. */
async function openUnder(context: BrowserContext, policy: string): Promise<Page> {
  const page = await context.newPage();
  await page.route("/lab.html", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "content-security-policy": policy };
    await route.fulfill({ response, headers });
  });
  await page.goto("/lab.html");
  await ready(page);
  return page;
}

for (const [fault, script, message] of [
  ["is missing", "/missing.js", "its script is missing, blocked by a policy, or not"],
  ["is no JavaScript", "/lab.html", "its script is missing, blocked by a policy, or not"],
  ["throws while it loads", "/throwing-worker.js", "this worker throws while it loads"],
  ["is of another origin", "http://127.0.0.1:9/worker.js", "cannot be accessed from origin"],
] as const) {
  test(`a worker script that ${fault}: the tab coordinates itself, converges with the others, and warns once (C011, whatwg/html#1885; C134, pubkey/rxdb#5615)`, async ({
    openLab,
  }) => {
    const [page, other] = [await openLab(), await openLab()];
    await connect(page, script);
    await connect(other);
    const warned = warnings(page);
    const answers = await Promise.all([send(page, "a"), send(other, "a")]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await send(other, "b")).toEqual(await send(page, "b"));
    expect([await mode(page), await mode(other)]).toEqual(["local", "shared"]);
    const [warning, ...more] = warned.filter((text) => text.startsWith("Signett:"));
    expect(warning).toContain(script);
    expect(warning).toContain(message);
    expect(more).toEqual([]);
  });
}

test("a worker that the page's policy blocks: the warning names the library's own script", async ({
  context,
  openLab,
}) => {
  const page = await openUnder(context, "worker-src 'none'");
  const other = await openLab();
  await connect(page);
  await connect(other);
  const warned = warnings(page);
  expect(await send(page, "a")).toEqual(await send(other, "a"));
  expect(await mode(page)).toBe("local");
  expect(warned.join()).toMatch(/the worker http:\S+\.js did not start: .*blocked by a policy/);
});

test("a worker that never answers is tried under three names; then the tab coordinates itself", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page, "/silent-worker.js", 1_000);
  await connect(other);
  const warned = warnings(page);
  expect(await send(page, "a")).toEqual(await send(other, "a"));
  expect(await mode(page)).toBe("local");
  expect(warned.join()).toContain("did not answer within 1000 ms");
  expect(await page.evaluate(() => window.names)).toEqual([
    "signett:v1",
    "signett:v1:g2",
    "signett:v1:g3",
  ]);
});

test("four tabs without SharedWorker: one effect a key, and equal answers (C019, livestorejs/livestore#321 (crbug 40290702); C020, instructure/idb-cache#16; C023, powersync-ja/powersync-js#1047)", async ({
  context,
  openTab,
  server,
}) => {
  await context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker"));
  const tabs = [await openTab(), await openTab(), await openTab(), await openTab()];
  const orders = (await server.openOrders()).slice(0, 5);
  await Promise.all(
    orders.map(async (orderId) => {
      const outcomes = await Promise.all(tabs.map((tab) => cancelOrder(tab, orderId, "op-1")));
      expect(outcomes).toHaveConverged();
      expect(outcomes[0]).toMatchObject({ output: { orderId } });
    }),
  );
  expect(await server.effects()).toHaveLength(orders.length);
});

test("a tab without SharedWorker leaves nothing open when it rests (C098, jakearchibald/idb-keyval#166)", async ({
  context,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, "SharedWorker");
    const connections = { opened: 0, closed: 0 };
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...args) {
      connections.opened += 1;
      return open.apply(this, args);
    };
    const { close } = IDBDatabase.prototype;
    IDBDatabase.prototype.close = function () {
      connections.closed += 1;
      close.apply(this);
    };
    Object.assign(window, { connections });
  });
  const page = await context.newPage();
  await page.goto("/lab.html");
  await ready(page);
  await connect(page);
  await send(page, "a");
  await send(page, "b");
  const left = () =>
    page.evaluate(async () => {
      const { opened, closed } = window.connections;
      return { ...(await navigator.locks.query()), used: opened > 0, connections: opened - closed };
    });
  await expect.poll(left).toEqual({ held: [], pending: [], used: true, connections: 0 });
});

test("an old tab whose scripts are gone from the server is told to reload, before any effect", async ({
  openLab,
}) => {
  const page = await openLab();
  const chunks = (await readdir("e2e/dist/assets")).filter((name) => name.startsWith("in-page-"));
  expect(chunks).not.toEqual([]);
  await page.route("**/assets/in-page-*", (route) => route.fulfill({ status: 404 }));
  await connect(page, "/missing.js");
  const refused = await send(page, "a").catch((error: Error) => error.message);
  expect(refused).toContain("CoordinationUnavailableError");
  expect(refused).toContain("Reload the page");
  expect(await mode(page)).toBe("idle");
});
