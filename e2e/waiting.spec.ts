import type { Page } from "@playwright/test";
import { freezeTab, thawTab, wedgeWorker, workers } from "signett/testing/playwright";
import { effectsIn, operation, send, sendAndHold, setUp, waiting } from "./support/desk.js";
import { expect, test } from "./support/test.js";

test("who waits for a frozen tab can leave in its time, disturbs nobody, and gets the answer after the thaw (C051, dxos/dxos#11757)", async ({
  openLab,
}) => {
  // The worker lives with the first tab, which goes on.
  const patient = await setUp(await openLab());
  const hasty = await setUp(await openLab(), { waitTimeoutMs: 500 });
  const owner = await setUp(await openLab());
  await send(patient, "first");
  const held = await sendAndHold(owner, "a");
  await freezeTab(owner);
  const waits = send(patient, "a");
  await waiting(patient, "a", 1);
  for (let call = 0; call < 2; call++) {
    expect(await send(hasty, "a")).toEqual({
      code: "operation_in_progress",
      message: expect.stringContaining("same key"),
    });
  }
  await waiting(patient, "a", 1);
  expect(await effectsIn(patient, hasty)).toEqual(["first"]);

  await thawTab(owner);
  await held.goOn();
  const answer = await held.ended;
  expect(answer).toEqual({ output: expect.objectContaining({ key: "a" }) });
  expect([await waits, await send(hasty, "a")]).toEqual([answer, answer]);
  expect(await effectsIn(patient, hasty, owner)).toEqual(["first", "a"]);
});

test("the owner's tab goes to another page in the middle of its call: who waits for it recovers", async ({
  openLab,
}) => {
  const [owner, waiter] = [await setUp(await openLab()), await setUp(await openLab())];
  await sendAndHold(owner, "a");
  const waits = send(waiter, "a");
  await waiting(waiter, "a", 1);
  await owner.goto("/samples.html");
  expect(await waits).toEqual({ output: "recovered" });
  expect(await effectsIn(waiter)).toEqual([]);
});

test("the worker hangs under an owner and those who wait for it: all of them go on with the next one, and get one answer", async ({
  context,
  openLab,
}) => {
  const pages = [
    await setUp(await openLab()),
    await setUp(await openLab()),
    await setUp(await openLab()),
  ] as const;
  const [owner, waiter, late] = pages;
  const held = await sendAndHold(owner, "a");
  const waits = send(waiter, "a");
  await waiting(waiter, "a", 1);
  const letGo = await wedgeWorker(context);
  await held.goOn();
  const calls = await Promise.all([held.ended, waits, send(late, "a")]);
  expect(calls[0]).toEqual({ output: expect.objectContaining({ key: "a" }) });
  expect(calls).toEqual([calls[0], calls[0], calls[0]]);
  expect(await workers(context)).toHaveLength(2);
  // The one that hung has old news when it goes on, and harms nobody with it.
  await letGo();
  expect(await send(owner, "a")).toEqual(calls[0]);
  expect(await effectsIn(...pages)).toEqual(["a"]);
});

test("a claim that is stamped a year ahead of the clock blocks nobody once its tab is gone (C142, moxystudio/node-proper-lockfile#109)", async ({
  openLab,
}) => {
  const [owner, waiter] = [await setUp(await openLab()), await setUp(await openLab())];
  await sendAndHold(owner, "a");
  await stampAhead(waiter, "a");
  const stamped = await operation(waiter, "a");
  expect(stamped?.updatedAt).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  await owner.close();
  expect(await send(waiter, "a")).toEqual({ output: "recovered" });
  expect(await send(waiter, "a")).toEqual({ output: "recovered" });
  expect(await effectsIn(waiter)).toEqual([]);
});

/** As if the key's record had been written while the computer's clock went a year ahead. */
async function stampAhead(page: Page, key: string): Promise<void> {
  await page.evaluate(async (k) => {
    const ended = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await ended(indexedDB.open("signett"));
    const operations = database.transaction("operations", "readwrite").objectStore("operations");
    const record = await ended(operations.get(k));
    const ahead = Date.now() + 365 * 86_400_000;
    await ended(operations.put({ ...record, createdAt: ahead, updatedAt: ahead }, k));
    database.close();
  }, key);
}
