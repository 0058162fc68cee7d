import type { Page } from "@playwright/test";
import { killWorker, quiescent, workers } from "signett/testing/playwright";
import { effectsIn, sendAndHold, send as sendFrom, setUp } from "./support/desk.js";
import { connect, mode, send } from "./support/lab-calls.js";
import { expect, ready, test } from "./support/test.js";

test("tabs that connect while the worker still starts get their answers from it (C033, automerge/automerge-repo#140)", async ({
  context,
  openLab,
}) => {
  const [first, ...tabs] = [await openLab(), await openLab(), await openLab()] as const;
  await connect(first);
  await send(first, "first");
  const [running] = await workers(context);
  const slow = `/slow-worker.js?script=${running?.url}`;
  for (const tab of tabs) await connect(tab, slow, 20_000, "classic");
  const since = Date.now();
  const [one, two] = await Promise.all(tabs.map((tab) => send(tab, "a")));
  expect(Date.now() - since).toBeGreaterThan(500);
  expect(one).toEqual(two);
  expect(await Promise.all(tabs.map(mode))).toEqual(["shared", "shared"]);
});

test("the only tab is loaded again while its worker holds locks: each load is answered, and recovers (C059, WebKit/WebKit#364)", async ({
  openLab,
}) => {
  const page = await setUp(await openLab());
  for (let load = 0; load < 5; load++) {
    await sendAndHold(page, `key ${load}`);
    await page.reload();
    await ready(page);
    await setUp(page);
    const since = Date.now();
    expect(await sendFrom(page, `key ${load}`)).toEqual({ output: "recovered" });
    expect(Date.now() - since).toBeLessThan(5_000);
  }
  expect(await effectsIn(page)).toEqual([]);
});

declare global {
  interface Window {
    /** A call that stays in its handler until it is let go on. */
    left: { readonly call: Promise<unknown>; readonly goOn: () => void } | undefined;
    readonly profileGone: WeakRef<object>;
  }
}

/** Disposes a profile, twice, in the middle of a call that nothing else in the page knows. */
async function disposeInCall(page: Page, meanwhile = async () => {}): Promise<unknown> {
  await page.evaluate(async () => {
    const { client, signett } = window.lab;
    const profile = client.connectProfile();
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let entered = () => {};
    const inHandler = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const send = signett.guard(
      async (_, { operation }) => {
        await operation?.write({ sent: true });
        entered();
        await gate;
        return "sent";
      },
      { name: "send_note", inputSchema: {}, profile, idempotency: { key: () => "a" } },
    );
    const left = { call: send({}), goOn };
    await inHandler;
    Object.assign(window, { left, profileGone: new WeakRef(profile) });
    profile.dispose();
    profile.dispose();
  });
  await meanwhile();
  return page.evaluate(async () => {
    window.left?.goOn();
    const answer = await window.left?.call;
    window.left = undefined;
    return answer;
  });
}

/** Whether a collection takes the profile. Chromium keeps the `SharedWorker` itself for as long as its page. */
async function isGone(page: Page): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.detach();
  return page.evaluate(() => window.profileGone.deref() === undefined);
}

test("a profile that is disposed in the middle of a call settles it, and then leaves nothing behind (C036, GoogleChromeLabs/comlink#655)", async ({
  openLab,
}) => {
  const [page, other] = [await openLab(), await setUp(await openLab())];
  expect(await disposeInCall(page)).toBe("sent");
  await leavesNothing(page, other);
});

test("a profile that is disposed, and whose worker is gone, settles its call in time, and then leaves nothing behind (C038, GoogleChromeLabs/comlink#653)", async ({
  context,
  openLab,
}) => {
  const [page, other] = [await openLab(), await setUp(await openLab())];
  expect(await disposeInCall(page, () => killWorker(context))).toBe("sent");
  await leavesNothing(page, other);
});

/** The disposed profile has stored its call's answer, and holds and is nothing any more. */
async function leavesNothing(page: Page, other: Page): Promise<void> {
  await quiescent(page.context());
  await expect.poll(() => isGone(page), { timeout: 15_000 }).toBe(true);
  expect(await sendFrom(other, "a")).toEqual({ output: "sent" });
  expect(await effectsIn(other)).toEqual([]);
}
