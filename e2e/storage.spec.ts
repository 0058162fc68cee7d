import type { BrowserContext, Page } from "@playwright/test";
import { workers } from "signett/testing/playwright";
import * as desk from "./support/desk.js";
import { connect, mode, send } from "./support/lab-calls.js";
import { expect, test } from "./support/test.js";

/** The page's profile has been refused, and no handler was entered. */
async function refusal(page: Page, key: string): Promise<string> {
  const before = await page.evaluate(() => window.executed);
  const message = await send(page, key).then(
    () => "answered",
    (error: Error) => error.message,
  );
  expect(await page.evaluate(() => window.executed)).toBe(before);
  return message;
}

test("two builds at once, each with a worker of its own, have one effect a key and equal answers (C015, odoo/odoo#102963)", async ({
  openLab,
  context,
}) => {
  const [old, latest] = [await openLab(), await openLab()];
  await connect(old);
  await send(old, "first");
  const [running] = await workers(context);
  await connect(latest, `${running?.url}?build=2`);
  const keys = ["a", "b", "c", "d", "e"];
  for (const key of keys) {
    const [one, two] = await Promise.all([send(old, key), send(latest, key)]);
    expect(one).toEqual(two);
  }
  expect(await workers(context)).toHaveLength(2);
  const executed = await Promise.all(
    [old, latest].map((page) => page.evaluate(() => window.executed)),
  );
  expect(executed.reduce((sum, count) => sum + count)).toBe(1 + keys.length);
});

test("a build that starts the same worker as a classic script: both builds work and converge (C013, OpenSlides/openslides-client#4129)", async ({
  openLab,
  context,
}) => {
  const [old, latest] = [await openLab(), await openLab()];
  await connect(old);
  await send(old, "first");
  const [running] = await workers(context);
  await connect(latest, running?.url, 20_000, "classic");
  const [one, two] = await Promise.all([send(old, "a"), send(latest, "a")]);
  expect(one).toEqual(two);
  expect(await send(latest, "first")).toEqual(await send(old, "first"));
});

test("a worker that is started as a classic script serves its tabs (C135, angular/angular-cli#20279)", async ({
  openLab,
  context,
}) => {
  const [first, page, other] = [await openLab(), await openLab(), await openLab()];
  await connect(first);
  await send(first, "first");
  const [running] = await workers(context);
  const script = `${running?.url}?classic`;
  for (const tab of [page, other]) await connect(tab, script, 20_000, "classic");
  const [one, two] = await Promise.all([send(page, "a"), send(other, "a")]);
  expect(one).toEqual(two);
  expect([await mode(page), await mode(other)]).toEqual(["shared", "shared"]);
});

test("a database that is deleted under an idle worker is made anew", async ({ openLab }) => {
  const page = await openLab();
  await connect(page);
  await send(page, "a");
  const deleted = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase("signett");
        request.onsuccess = () => resolve("deleted");
        request.onblocked = () => resolve("blocked");
      }),
  );
  expect(deleted).toBe("deleted");
  expect(await send(page, "b")).toMatchObject({ key: "b" });
});

test("a database that another tab blocks is refused within its deadline, in words; then it works (C089, microsoft/pxt#9324)", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  // Another tab does not let go of the database that a third wants to delete: whoever opens it waits behind.
  await other.evaluate(async () => {
    const opened = indexedDB.open("signett", 1);
    const stores = ["operations", "journal", "counters"];
    opened.onupgradeneeded = () => {
      for (const store of stores) opened.result.createObjectStore(store);
    };
    await new Promise((resolve) => {
      opened.onsuccess = resolve;
    });
    const blocked = new Promise((resolve) => {
      indexedDB.deleteDatabase("signett").onblocked = resolve;
    });
    await blocked;
  });
  await connect(page);
  const message = await refusal(page, "a");
  expect(message).toContain("CoordinationUnavailableError");
  expect(message).toContain("did not open within 10000 ms");
  expect(message).toContain("close the site's other tabs");
  await other.close();
  expect(await send(page, "a")).toMatchObject({ key: "a" });
});

test("a database in which another tab's transaction does not end is refused within its deadline, in words; then it works", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await send(page, "first");
  await other.evaluate(async () => {
    const opened = indexedDB.open("signett");
    await new Promise((resolve) => {
      opened.onsuccess = resolve;
    });
    const operations = opened.result
      .transaction("operations", "readwrite")
      .objectStore("operations");
    // A transaction lives for as long as there is one more request.
    const ask = () => {
      operations.get("first").onsuccess = ask;
    };
    await new Promise((resolve) => {
      operations.get("first").onsuccess = () => {
        ask();
        resolve(undefined);
      };
    });
  });
  const message = await refusal(page, "a");
  expect(message).toContain("CoordinationUnavailableError");
  expect(message).toContain("did not end within 10000 ms");
  expect(message).toContain("close the site's other tabs");
  await other.close();
  expect(await send(page, "a")).toMatchObject({ key: "a" });
});

test("a disk that is full when a key is asked for: refused before any effect; with space it works", async ({
  openLab,
}) => {
  const page = await openLab();
  await connect(page);
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  // Before the first write: Chromium remembers for a while how much there is.
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  const message = await refusal(page, "a");
  expect(message).toContain("CoordinationUnavailableError");
  expect(message).toContain("QuotaExceededError");
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  expect(await send(page, "a")).toMatchObject({ key: "a" });
});

test("a disk that is full when an output is stored: its caller gets it, and the next call recovers", async ({
  openLab,
}) => {
  const [page, other] = [
    await desk.setUp(await openLab(), { padding: 60_000 }),
    await desk.setUp(await openLab()),
  ];
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  // Room for claims and journal entries, and for no such output.
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 40_000 });
  expect(await desk.send(page, "a")).toMatchObject({ output: { key: "a" } });
  expect(await desk.stagesOf(page)).toContain("result_not_stored");
  // The refused write may stay in Chromium's files, so that there is no room for the word that the claim has ended either.
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  expect(await desk.send(other, "a")).toEqual({ output: "recovered" });
  expect(await desk.send(page, "a")).toEqual({ output: "recovered" });
  expect(await desk.effectsIn(page, other)).toEqual(["a"]);
});

test("the browser closes the database in the middle of operations: they end as if it had not", async ({
  context,
  openLab,
}) => {
  const [page, other] = [await desk.setUp(await openLab()), await desk.setUp(await openLab())];
  const held = await desk.sendAndHold(page, "a");
  const waits = desk.send(other, "a");
  await desk.waiting(other, "a", 1);
  await forceClose(context);
  await held.goOn();
  const answer = await held.ended;
  expect(answer).toMatchObject({ output: { key: "a" } });
  expect(await waits).toEqual(answer);
  expect(await desk.send(other, "b")).toMatchObject({ output: { key: "b" } });
  expect(await desk.effectsIn(page, other)).toEqual(["a", "b"]);
});

test("a person deletes the site's data in the middle of an operation: its call says that it lost its claim", async ({
  openLab,
}) => {
  const [page, other] = [await desk.setUp(await openLab()), await desk.setUp(await openLab())];
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  const held = await desk.sendAndHold(page, "a");
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
  expect(await desk.operation(other, "a")).toBeUndefined();
  await held.goOn();
  expect(await held.ended).toMatchObject({ code: "claim_lost" });
  expect(await desk.send(other, "b")).toMatchObject({ output: { key: "b" } });
});

/** Chromium's own page about its databases has a button for it. */
async function forceClose(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto("chrome://indexeddb-internals");
  const connections = page.locator(".connection-count").first();
  await expect(connections).toHaveText("1");
  await page.locator(".force-close").click();
  await expect(connections).toHaveText("0");
  await page.close();
}
