import type { Page } from "@playwright/test";
import type { ProfileOperations, SignettActivity } from "signett";
import { goAndComeBack } from "signett/testing/playwright";
import { persistentContext } from "./support/browser.js";
import { test as base, expect, ready } from "./support/test.js";

declare global {
  interface Window {
    /** Sends a note: an idempotent call with this key. */
    readonly sendNote: (key: string) => Promise<unknown>;
    readonly activity: SignettActivity;
    /** What the page has asked for and not got yet. */
    readonly answer: Promise<unknown>;
    /** The profile's. */
    readonly operations: ProfileOperations;
    /** V8's collector, which a flag exposes. */
    readonly gc: () => void;
  }
}

/** Chromium as people run it: Playwright turns the back/forward cache off. */
const test = base.extend({
  context: async ({ baseURL }, use) => {
    await persistentContext(use, {
      baseURL,
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
      args: ["--js-flags=--expose-gc"],
    });
  },
});

/** Connects a profile in the page. */
async function connect(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { client, signett } = window.lab;
    const profile = client.connectProfile();
    const send = signett.guard(
      async ({ key }, { operation }) => {
        await operation?.write({ sent: true });
        if (key.startsWith("held")) await new Promise(() => {});
        return "sent";
      },
      {
        recover: () => ({ recovered: true, output: "recovered" }),
        name: "send_note",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
        profile,
        idempotency: { key: ({ input }) => input.key },
      },
    );
    const { operations } = profile;
    Object.assign(window, { operations, sendNote: (key: string) => send({ key }) });
    await profile.ready();
  });
}

const sendNote = (page: Page, key: string) => page.evaluate((k) => window.sendNote(k), key);

/** Goes to another page of the site, and back. */
async function leaveAndReturn(page: Page, meanwhile = async () => {}): Promise<void> {
  await goAndComeBack(page, {
    away: "/samples.html",
    async meanwhile() {
      // Garbage of the cached page is collected too: a finalizer that runs in it would evict it.
      await page.evaluate(() => window.gc());
      await page.evaluate(() => window.gc());
      await meanwhile();
    },
  });
}

test("a page that is connected and idle comes back from the cache, and its next call works (C057, w3c/web-locks#81)", async ({
  openLab,
}) => {
  const page = await openLab();
  await connect(page);
  await leaveAndReturn(page);
  expect(await sendNote(page, "first")).toBe("sent");
});

test("a page that has settled its calls comes back from the cache, and coordinates as before", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  expect(await sendNote(page, "first")).toBe("sent");
  await leaveAndReturn(page);
  expect(await sendNote(other, "second")).toBe("sent");
  expect(await sendNote(page, "second")).toBe("sent");
  const pending = () => page.evaluate(async () => (await navigator.locks.query()).pending);
  await expect.poll(pending).toEqual([]);
});

test("a page that subscribes to operations comes back from the cache, and is told what it has missed", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  await page.evaluate(() => {
    const { operations } = window.lab.client.connectProfile();
    const told: number[] = [];
    operations.subscribe(() => told.push(Date.now()));
    Object.assign(window, { told });
  });
  const told = () => page.evaluate(() => (window as unknown as { told: number[] }).told.length);
  await expect.poll(told).toBe(1);
  await leaveAndReturn(page, async () => {
    expect(await sendNote(other, "first")).toBe("sent");
  });
  await expect.poll(told).toBeGreaterThan(1);
});

test("a page that looks at the calls of all tabs comes back from the cache, and goes on looking", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  await page.evaluate(() => {
    const { client, signett } = window.lab;
    const surface = signett.createSignett({ profile: client.connectProfile() });
    const activity = signett.createSignettActivity(surface, { scope: "profile" });
    Object.assign(window, { activity });
  });
  const seen = () =>
    page.evaluate(() =>
      window.activity.getSnapshot().invocations.map(({ key, phase }) => `${key} ${phase}`),
    );
  expect(await sendNote(other, "first")).toBe("sent");
  await expect.poll(seen).toEqual(["first succeeded"]);
  // Had the cached page heard of it, it would have been evicted.
  await leaveAndReturn(page, async () => {
    expect(await sendNote(other, "second")).toBe("sent");
  });
  expect(await sendNote(other, "third")).toBe("sent");
  await expect.poll(seen).toContain("third succeeded");
});

test("an idle page comes back from the cache also while another tab keeps the worker busy (C060, whatwg/html#11445)", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  expect(await sendNote(page, "first")).toBe("sent");
  await leaveAndReturn(page, async () => {
    for (let call = 0; call < 20; call++) {
      expect(await sendNote(other, `other ${call}`)).toBe("sent");
    }
  });
  expect(await sendNote(page, "other 19")).toBe("sent");
});

test("a page that waits for another tab comes back from the cache, and gets its answer", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  await other.evaluate(() => void window.sendNote("held by other"));
  await expect.poll(() => stateOfHeld(other)).toBe("claimed");
  await page.evaluate(() => {
    const answer = window.sendNote("held by other");
    Object.assign(window, { answer });
  });
  await waiting(other, 1);
  await leaveAndReturn(page, async () => {
    // It has left the queue, although its page is alive.
    await waiting(other, 0);
    expect(await sendNote(other, "second")).toBe("sent");
  });
  await other.close();
  expect(await page.evaluate(() => window.answer)).toBe("recovered");
});

test("a page left in the middle of an operation does not keep its key: who waits for it recovers", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await openLab()];
  await connect(page);
  await connect(other);
  await page.evaluate(() => void window.sendNote("held"));
  await expect.poll(() => signsOfLife(other)).toBe(1);
  await page.goto("/samples.html");
  expect(await sendNote(other, "held")).toBe("recovered");
  await page.goBack({ waitUntil: "commit" });
  await ready(page);
  expect(await page.evaluate(() => typeof window.sendNote)).toBe("undefined");
});

const stateOfHeld = (page: Page) =>
  page.evaluate(async () => (await window.operations.get("held by other"))?.state);

/** Resolves when this many callers wait for a key that was never let go. */
const waiting = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate(async () => (await window.operations.get("held by other"))?.waiters ?? 0),
    )
    .toBe(count);

/** How many tabs have open work. */
const signsOfLife = (page: Page) =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.filter(({ name = "" }) => name.startsWith("signett:client:")).length;
  });
