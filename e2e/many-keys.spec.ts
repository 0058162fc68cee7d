import type { Page } from "@playwright/test";
import { crashTab } from "signett/testing/playwright";
import { type Ended, effectsIn, setUp } from "./support/desk.js";
import { expect, test } from "./support/test.js";

// Sixteen tabs take a while to open, and 3,200 calls to be answered.
test.setTimeout(120_000);

const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);

/** Makes a call with each key in the page, all at once. */
const sendAll = (page: Page): Promise<Ended[]> =>
  page.evaluate((all) => Promise.all(all.map((key) => window.desk.send(key))), keys);

/** Sixteen tabs: the first owns every key, in the middle of its effect, and the others wait for every key. */
async function allWaiting(openLab: () => Promise<Page>) {
  const owner = await setUp(await openLab());
  const others: Page[] = [];
  while (others.length < 15) others.push(await setUp(await openLab()));
  await owner.evaluate(() => window.desk.hold());
  const owned = sendAll(owner);
  owned.catch(() => {});
  await owner.waitForFunction((count) => window.desk.effects.length === count, keys.length);
  const waits = Promise.all(others.map(sendAll));
  await expect.poll(() => waiting(owner), { timeout: 60_000 }).toBe(15 * keys.length);
  return { owner, others, owned, waits };
}

/** The run of the worker that the page is connected to. */
const instance = (page: Page) =>
  page.evaluate(async () => (await window.desk.profile.health()).worker?.instance);

/** How many calls wait for a key. */
const waiting = (page: Page) =>
  page.evaluate(async () => {
    const { operations } = await window.desk.profile.operations.list({ limit: 1_000 });
    return operations.reduce((sum, { waiters }) => sum + waiters, 0);
  });

test("200 keys that sixteen tabs wait for: once their owner goes on, all are answered, with one effect a key", async ({
  openLab,
}) => {
  const { owner, others, owned, waits } = await allWaiting(openLab);
  await owner.evaluate(() => window.desk.goOn());
  const answers = await owned;
  expect(answers).toEqual(keys.map((key) => ({ output: expect.objectContaining({ key }) })));
  for (const each of await waits) expect(each).toEqual(answers);
  expect((await effectsIn(owner, ...others)).sort()).toEqual([...keys].sort());
});

test("200 keys that sixteen tabs wait for: once their owner has crashed, and the worker with it, all are recovered, with no second effect", async ({
  openLab,
}) => {
  const { owner, others, waits } = await allWaiting(openLab);
  const before = await instance(owner);
  await crashTab(owner);
  const recovered = keys.map(() => ({ output: "recovered" }));
  for (const each of await waits) expect(each).toEqual(recovered);
  expect(await effectsIn(...others)).toEqual([]);
  for (const page of others) expect(await instance(page)).not.toBe(before);
});
