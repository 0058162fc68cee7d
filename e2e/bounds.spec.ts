import type { Page } from "@playwright/test";
import { closeTab, crashTab, quiescent } from "signett/testing/playwright";
import { type Ended, effectsIn, send, setUp, stagesOf } from "./support/desk.js";
import { expect, test } from "./support/test.js";
import { portsOf, WorkerTools } from "./support/worker-tools.js";

test.setTimeout(120_000);

/** Half of the calls of a round are fresh, a quarter are replays, and a quarter are for keys that all tabs call with. */
const CALLS = 5_000;
/** How many calls each tab has on their way. */
const IN_FLIGHT = 16;

/** So many calls from all tabs at once. Gives those that failed. */
async function round(tabs: readonly Page[], name: string): Promise<Ended[]> {
  const options = { name, calls: CALLS / tabs.length, inFlight: IN_FLIGHT };
  const failed = await Promise.all(
    tabs.map((tab, index) =>
      tab.evaluate(
        async ({ name, calls, inFlight, index }) => {
          const keyOf = (call: number) => {
            if (call % 4 === 3) return `${name} shared ${call}`;
            return `${name} ${index} ${call % 4 === 1 ? call - 1 : call}`;
          };
          const failed: Ended[] = [];
          let next = 0;
          const caller = async () => {
            while (next < calls) {
              const ended = await window.desk.send(keyOf(next++));
              if ("message" in ended) failed.push(ended);
            }
          };
          await Promise.all(Array.from({ length: inFlight }, caller));
          return failed;
        },
        { ...options, index },
      ),
    ),
  );
  return failed.flat();
}

/** The locks that the profile's tabs and workers hold or wait for. */
const locks = (page: Page) =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return {
      held: held.map(({ name = "" }) => name).sort(),
      pending: pending.map(({ name }) => name),
    };
  });

/** What is not settled, and who waits. */
const openOperations = (page: Page) =>
  page.evaluate(async () => {
    const { operations } = await window.desk.profile.operations.list({ state: "claimed" });
    return operations;
  });

test("10,000 calls from four tabs, fresh, replayed and waiting, leave no port, lock, waiter or memory behind (C035, GoogleChromeLabs/comlink#63)", async ({
  context,
  openLab,
}) => {
  const tabs: Page[] = [];
  while (tabs.length < 4) tabs.push(await setUp(await openLab()));
  const [tab] = tabs as [Page];
  await tab.evaluate(() => window.desk.profile.ready());
  const tools = await WorkerTools.of(tab);
  const left = async () => ({
    ...(await tools.alive()),
    page: await portsOf(tab),
    locks: await locks(tab),
    open: await openOperations(tab),
  });

  expect(await round(tabs, "first")).toEqual([]);
  await quiescent(context);
  const before = await left();
  expect(await round(tabs, "second")).toEqual([]);
  await quiescent(context);
  const after = await left();
  console.log("10,000 calls:", JSON.stringify({ before, after }));

  expect(before.objects.MessagePort).toBe(tabs.length);
  expect({ ...after, bytes: 0 }).toEqual({ ...before, bytes: 0 });
  // 10 for each call: less than the smallest object that each could leave.
  expect(after.bytes - before.bytes).toBeLessThan(10 * CALLS);
  // The worker's own: that it lives, and that it has answers in its memory.
  const own = ["signett:memory", expect.stringMatching(/^signett:worker:/)];
  expect(after.locks).toEqual({ held: own, pending: [] });
  const effects = await effectsIn(...tabs);
  expect(new Set(effects).size).toBe(effects.length);
  // In each round 625 of each tab, and 312 that they share.
  expect(effects).toHaveLength(2 * (4 * 625 + 312));
  const stages = await stagesOf(tab);
  expect(stages).toEqual(expect.arrayContaining(["waiting", "replayed", "executed"]));
});

/** How a tab ends that has called. */
const ends: Record<string, (page: Page) => Promise<unknown>> = {
  closes: closeTab,
  crashes: crashTab,
  "is loaded again": (page) => page.reload(),
  "disposes its profile": (page) => page.evaluate(() => window.desk.profile.dispose()),
};

test("sixteen tabs that come, call and close, crash, are loaded again or dispose their profile leave nothing in the worker", async ({
  context,
  openLab,
}) => {
  const home = await setUp(await openLab());
  await send(home, "first");
  const tools = await WorkerTools.of(home);
  const come = async (round: number) => {
    for (const [how, end] of Object.entries(ends)) {
      const tab = await setUp(await openLab());
      expect(await send(tab, `${how} ${round}`)).toHaveProperty("output");
      await end(tab);
      await tab.close();
    }
    await quiescent(context);
  };
  await come(0);
  const { objects } = await tools.alive();
  for (let round = 1; round < 4; round++) await come(round);
  await expect.poll(async () => (await tools.alive()).objects).toEqual(objects);
});
