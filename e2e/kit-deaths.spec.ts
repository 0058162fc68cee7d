import type { Page } from "@playwright/test";
import {
  callTool,
  crashTab,
  expect,
  freezeTab,
  goAndComeBack,
  killWorker,
  quiescent,
  thawTab,
  untilStage,
  wedgeWorker,
  workers,
} from "signett/testing/playwright";
import { note, sent, test } from "./support/notes.js";

declare global {
  interface Window {
    /** Counts as long as the page's scripts run. */
    ticks: number;
  }
}

/** Resolves when the page has counted on by a few. */
async function ticking(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let left = 3;
        const timer = setInterval(() => {
          left -= 1;
          if (left > 0) return;
          clearInterval(timer);
          resolve();
        }, 1);
      }),
  );
}

test("a frozen tab stands still and keeps its key; thawed it goes on, and others get its answer (C050, supabase/supabase#44642; C056, w3c/web-locks#4)", async ({
  openTabs,
  notes,
}) => {
  // The worker lives with the first tab, which goes on.
  const [other, owner] = await openTabs("/notes.html", 2);
  expect(await callTool(other, "send_note", { ...note, id: "n-0" })).toMatchObject({
    status: "answered",
  });
  notes.hold();
  const call = callTool(owner, "send_note", note);
  await notes.effects(2);
  await owner.evaluate(() => {
    const channel = new BroadcastChannel("ticks");
    setInterval(() => channel.postMessage("tick"), 1);
  });
  await other.evaluate(() => {
    window.ticks = 0;
    new BroadcastChannel("ticks").onmessage = () => {
      window.ticks += 1;
    };
  });
  await freezeTab(owner);
  await freezeTab(owner);
  await other.evaluate(() => {
    window.ticks = 0;
  });
  const waiting = callTool(other, "send_note", note);
  await untilStage(other, "waiting");
  notes.release();
  await ticking(other);
  expect(await other.evaluate(() => window.ticks)).toBe(0);

  await thawTab(owner);
  await thawTab(owner);
  expect(await call).toMatchObject({ status: "answered", output: sent });
  expect(await waiting).toBeReplayed();
  expect(notes.sent).toEqual(["n-0", "n-1"]);
});

test("a worker that is killed is gone at once; open calls go on with the next one (C002, GoogleChromeLabs/comlink#554)", async ({
  context,
  openTabs,
  notes,
}) => {
  const [owner, waiter] = await openTabs("/notes.html", 2);
  expect(await workers(context)).toEqual([]);
  await expect(killWorker(context)).rejects.toThrow("killWorker: no SharedWorker runs");
  notes.hold();
  const calls = [callTool(owner, "send_note", note)];
  await notes.effects(1);
  calls.push(callTool(waiter, "send_note", note));
  await untilStage(waiter, "waiting");
  expect(await workers(context)).toEqual([
    { name: "signett:v1", url: expect.stringContaining("/assets/worker-") },
  ]);
  await killWorker(context);
  notes.release();
  expect(await Promise.all(calls)).toHaveConverged();
  expect(notes.sent).toEqual(["n-1"]);
});

test("a worker that hangs answers nobody until it is let go; the tabs find another (C008, powersync-ja/powersync.dart#459)", async ({
  context,
  openTabs,
  notes,
}) => {
  const [page] = await openTabs("/notes.html");
  expect(await callTool(page, "send_note", note)).toMatchObject({ status: "answered" });
  const letGo = await wedgeWorker(context);
  const call = callTool(page, "send_note", { ...note, id: "n-2" });
  expect(await call).toMatchObject({ status: "answered" });
  const names = async () => (await workers(context)).map(({ name }) => name).sort();
  expect(await names()).toEqual(["signett:v1", "signett:v1:g2"]);
  await letGo();
  expect(notes.sent).toEqual(["n-1", "n-2"]);
});

test("a worker that hangs can be killed, and leaves nothing to the next one", async ({
  context,
  openTabs,
  notes,
}) => {
  const [page] = await openTabs("/notes.html");
  expect(await callTool(page, "send_note", note)).toMatchObject({ status: "answered" });
  const letGo = await wedgeWorker(context);
  await killWorker(context);
  expect(await workers(context)).toEqual([]);
  await letGo();
  await callTool(page, "send_note", { ...note, id: "n-2" });
  expect(await workers(context)).toMatchObject([{ name: "signett:v1" }]);
  expect(notes.sent).toEqual(["n-1", "n-2"]);
});

test("a worker that hangs dies with its tab's process, and the next one starts", async ({
  context,
  openTabs,
  notes,
}) => {
  const [host, other] = await openTabs("/notes.html", 2);
  expect(await callTool(host, "send_note", note)).toMatchObject({ status: "answered" });
  const letGo = await wedgeWorker(context);
  await crashTab(host);
  await callTool(other, "send_note", { ...note, id: "n-2" });
  // Not one of the next generation: nobody had to find out that it hangs.
  expect(await workers(context)).toMatchObject([{ name: "signett:v1" }]);
  await letGo();
  await letGo();
  expect(notes.sent).toEqual(["n-1", "n-2"]);
});

test("nothing is open once every call has settled, and not before", async ({
  context,
  openTabs,
  notes,
}) => {
  const [page, other] = await openTabs("/notes.html", 2);
  await quiescent(context);
  notes.hold();
  const call = callTool(page, "send_note", note);
  await notes.effects(1);
  await expect(quiescent(context, { timeoutMs: 50 })).rejects.toThrow(
    /Still open after 50 ms: signett:client:/,
  );
  const quiet = quiescent(context).then(() => "quiet");
  // The other tab's locks are the same ones: it is one profile.
  expect(await Promise.race([quiet, ticking(other).then(() => "open")])).toBe("open");
  notes.release();
  await quiet;
  expect(await call).toMatchObject({ status: "answered" });
});

test("without a back/forward cache the page says that it was loaded anew", async ({
  openTabs,
  notes: _notes,
}) => {
  const [page] = await openTabs("/notes.html");
  await expect(goAndComeBack(page)).rejects.toThrow(/loaded anew.*--disable-back-forward-cache/);
});
