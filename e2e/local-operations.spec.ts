import type { Page } from "@playwright/test";
import type { TabProfile } from "../client/index.js";
import { expect, recordedKeys, test } from "./support/test.js";

declare global {
  interface Window {
    readonly profile: TabProfile;
    readonly send: (key: string) => Promise<unknown>;
  }
}

const HOUR = 3_600_000;

test.beforeEach(({ context }) =>
  context.addInitScript(() => Reflect.deleteProperty(window, "SharedWorker")),
);

/** Connects a profile whose outputs are replayed for an hour and stored with their bytes inverted. */
async function connect(page: Page): Promise<Page> {
  await page.evaluate((completedMs) => {
    const { client, signett } = window.lab;
    const inverted = (bytes: Uint8Array) => bytes.map((byte) => 255 - byte);
    const profile = client.connectProfile({
      retention: { completedMs },
      codec: {
        encode: async (data) => inverted(new TextEncoder().encode(JSON.stringify(data))),
        decode: async (bytes) => JSON.parse(new TextDecoder().decode(inverted(bytes))),
      },
    });
    const send = signett.guard(
      async ({ key }, { operation }) => {
        await operation?.write({ key });
        return { receipt: `of ${key}`, by: crypto.randomUUID() };
      },
      {
        name: "send_note",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
        profile,
        idempotency: { key: ({ input }) => input.key },
      },
    );
    Object.assign(window, { profile, send: (key: string) => send({ key }) });
  }, HOUR);
  return page;
}

const send = (page: Page, key: string) => page.evaluate((k) => window.send(k), key);
const health = (page: Page) => page.evaluate(() => window.profile.health());
/** What the database has for the key, bytes as text. */
const stored = (page: Page, key: string) =>
  page.evaluate(async (key) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settled(indexedDB.open("signett"));
    const record = await settled(
      database.transaction("operations").objectStore("operations").get(key),
    );
    database.close();
    return JSON.stringify(record, (_, value: unknown) =>
      value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value,
    );
  }, key);

test("without SharedWorker a tab's output is encoded, and purged by another tab for both", async ({
  openLab,
}) => {
  const [one, two] = [await connect(await openLab()), await connect(await openLab())];
  const answer = await send(one, "acct-7:1");
  expect(await send(two, "acct-7:1")).toEqual(answer);
  expect(await stored(two, "acct-7:1")).toContain("signett:encoded");
  expect(await stored(two, "acct-7:1")).not.toContain("receipt");
  const purged = await two.evaluate(() => window.profile.operations.purge({ prefix: "acct-7:" }));
  expect(purged).toEqual({ purged: 1, live: [] });
  const later = await send(one, "acct-7:1");
  expect(later).toEqual({ receipt: "of acct-7:1", by: expect.any(String) });
  expect(later).not.toEqual(answer);
  expect(await send(two, "acct-7:1")).toEqual(later);
});

test("without SharedWorker every tab can say how the profile is", async ({ openLab }) => {
  const [one, two] = [await connect(await openLab()), await connect(await openLab())];
  await send(one, "a");
  for (const page of [one, two]) {
    const { problem, worker, ...rest } = await health(page);
    expect(problem).toBeUndefined();
    expect(worker).toEqual({ instance: expect.any(String), build: expect.any(String) });
    expect(rest).toMatchObject({
      mode: "local",
      durability: "strict",
      counts: { claimed: 0, completed: 1, in_doubt: 0, not_applied: 0 },
      usage: expect.any(Number),
      quota: expect.any(Number),
    });
  }
});

test("without SharedWorker an answer expires, and the next tab to connect sweeps it", async ({
  openLab,
}) => {
  const [one, two] = [await connect(await openLab()), await connect(await openLab())];
  const answer = await send(one, "a");
  await send(one, "b");
  const now = Date.now();
  await two.clock.setFixedTime(now + HOUR / 2);
  expect(await send(two, "a")).toEqual(answer);
  const three = await connect(await openLab());
  await three.clock.setFixedTime(now + 2 * HOUR);
  expect(await send(three, "a")).not.toEqual(answer);
  await expect.poll(() => recordedKeys(three)).toEqual(["a"]);
});
