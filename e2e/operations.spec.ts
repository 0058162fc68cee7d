import { readdir } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { ProfileOptions, TabProfile } from "../client/index.js";
import { expect, test } from "./support/test.js";

declare global {
  interface Window {
    readonly profile: TabProfile;
    /** An idempotent call. Its handler writes its journal, and goes on when the tab is let go on. */
    readonly send: (key: string) => Promise<unknown>;
    readonly goOn: () => void;
    /** How often the tab was told that operations have changed. */
    told: number;
  }
}

interface Connecting {
  readonly script?: string | undefined;
  readonly held?: boolean;
  readonly retention?: ProfileOptions["retention"];
}

/** Connects a profile in the page. */
async function connect(page: Page, options: Connecting = {}): Promise<Page> {
  await page.evaluate(({ script, held = false, retention }) => {
    const { client, signett } = window.lab;
    const profile = client.connectProfile({
      ...(script !== undefined && {
        worker: (name: string) => new SharedWorker(script, { type: "module", name }),
      }),
      ...(retention && { retention }),
    });
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const send = signett.guard(
      async ({ key }, { operation }) => {
        await operation?.write({ key });
        if (held) await gate;
        return { key, by: crypto.randomUUID() };
      },
      {
        name: "send_note",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
        profile,
        idempotency: { key: ({ input }) => input.key },
      },
    );
    Object.assign(window, { profile, goOn, told: 0, send: (key: string) => send({ key }) });
  }, options);
  return page;
}

const send = (page: Page, key: string) => page.evaluate((k) => window.send(k), key);
const stateOf = (page: Page, key: string) =>
  page.evaluate(async (k) => (await window.profile.operations.get(k))?.state, key);
/** How the call ended: its error's code, if it failed. */
const sendForCode = (page: Page, key: string) =>
  page.evaluate(
    (k) =>
      window.send(k).then(
        () => "answered",
        (error: { code: string }) => error.code,
      ),
    key,
  );

/** The library's worker script under another URL, as another build has it. */
async function otherBuild(): Promise<string> {
  const name = (await readdir("e2e/dist/assets")).find((file) => /^worker-.*\.js$/.test(file));
  return `/assets/${name}?build=2`;
}

for (const [where, second] of [
  ["tabs of one worker", async () => ({})],
  [
    "tabs of two builds, each with a worker of its own",
    async () => ({ script: await otherBuild() }),
  ],
  ["a tab that coordinates itself", async () => ({ script: "/missing.js" })],
] as const) {
  test.describe(`for ${where}`, () => {
    test("the list shows what the other tab does, and a subscriber is told", async ({
      openLab,
    }) => {
      const owner = await connect(await openLab(), { held: true });
      const viewer = await connect(await openLab(), await second());
      await viewer.evaluate(() => {
        window.profile.operations.subscribe(() => {
          window.told += 1;
        });
      });
      await viewer.waitForFunction(() => window.told === 1);
      const call = send(owner, "acct-7:1");
      await expect
        .poll(() =>
          viewer.evaluate(async () => {
            const { operations } = await window.profile.operations.list({ prefix: "acct-7:" });
            return { phase: operations[0]?.phase, told: window.told > 1 };
          }),
        )
        .toEqual({ phase: "started", told: true });
      const seen = await viewer.evaluate(() => window.profile.operations.get("acct-7:1"));
      expect(seen).toMatchObject({ tool: "send_note", state: "claimed", owner: { alive: true } });
      const before = await viewer.evaluate(() => window.told);
      await owner.evaluate(() => window.goOn());
      const output = await call;
      await viewer.waitForFunction((told) => window.told > told, before);
      expect(
        await viewer.evaluate(() => window.profile.operations.get("acct-7:1", { output: true })),
      ).toMatchObject({ state: "completed", output });
    });

    test("a purge leaves the live claim alone, drops its output, and tells who waits", async ({
      openLab,
    }) => {
      const owner = await connect(await openLab(), { held: true });
      const other = await connect(await openLab(), await second());
      await send(other, "acct-7:done");
      const call = send(owner, "acct-7:live");
      await expect.poll(() => stateOf(other, "acct-7:live")).toBe("claimed");
      const waiting = sendForCode(other, "acct-7:live");
      await expect
        .poll(() =>
          other.evaluate(async () => (await window.profile.operations.get("acct-7:live"))?.waiters),
        )
        .toBe(1);
      const report = await other.evaluate(() =>
        window.profile.operations.purge({ prefix: "acct-7:" }),
      );
      expect(report).toEqual({ purged: 1, live: ["acct-7:live"] });
      expect(await waiting).toBe("operation_purged");
      await owner.evaluate(() => window.goOn());
      expect(await call).toMatchObject({ key: "acct-7:live" });
      expect(await other.evaluate(() => window.profile.operations.list())).toEqual({
        operations: [],
      });
    });

    test("a reviewer settles what a crashed tab has left in doubt, and is heard in the other tab", async ({
      openLab,
    }) => {
      const reviewer = await connect(await openLab(), await second());
      const other = await connect(await openLab());
      const doomed = await connect(await openLab(), { held: true });
      send(doomed, "k").catch(() => {});
      await expect.poll(() => stateOf(reviewer, "k")).toBe("claimed");
      const refused = reviewer.evaluate(() =>
        window.profile.operations
          .resolve("k", { outcome: "not_applied" })
          .catch((error: { code: string }) => error.code),
      );
      expect(await refused).toBe("operation_not_in_doubt");
      await doomed.close();
      await expect.poll(() => stateOf(reviewer, "k")).toBe("in_doubt");
      expect(await sendForCode(other, "k")).toBe("outcome_unknown");
      await reviewer.evaluate(() =>
        window.profile.operations.resolve(
          "k",
          { outcome: "completed", output: "by hand" },
          { label: "ada" },
        ),
      );
      expect(await send(other, "k")).toBe("by hand");
      expect(await other.evaluate(() => window.profile.operations.get("k"))).toMatchObject({
        audit: { outcome: "completed", label: "ada" },
      });
    });
  });
}

/** Stores completed operations past the library, as an earlier month has left them. */
const fill = (page: Page, count: number, expiresInMs: number) =>
  page.evaluate(
    async ({ count, expiresInMs }) => {
      const settled = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await settled(indexedDB.open("signett"));
      const then = Date.now() - 3_600_000;
      const transaction = database.transaction("operations", "readwrite", {
        durability: "relaxed",
      });
      const store = transaction.objectStore("operations");
      for (let i = 0; i < count; i += 1) {
        const key = `old:${String(i).padStart(6, "0")}`;
        const times = { createdAt: then, updatedAt: then, expiresAt: Date.now() + expiresInMs };
        const made = { tool: "send_note", fence: 0, call: key, attempt: 0, executed: true };
        store.put({ key, state: "completed", output: { key }, ...made, ...times }, key);
      }
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      database.close();
    },
    { count, expiresInMs },
  );

test("100,000 operations are listed in pages while the page stays responsive", async ({
  openLab,
}) => {
  test.setTimeout(240_000);
  const page = await connect(await openLab(), { retention: { maxCompleted: 200_000 } });
  await page.evaluate(() => window.profile.operations.list());
  await fill(page, 100_000, 3_600_000);
  const seen = await page.evaluate(async () => {
    const { operations } = window.profile;
    let [longestPause, stood, last] = [0, 0, performance.now()];
    const timer = setInterval(() => {
      const now = performance.now();
      longestPause = Math.max(longestPause, now - last);
      stood += Math.max(0, now - last - 100);
      last = now;
    }, 5);
    const begun = performance.now();
    const keys = new Set<string>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const answer = await operations.list({ limit: 1_000, prefix: "old:", cursor });
      for (const { key } of answer.operations) keys.add(key);
      cursor = answer.cursor;
      pages += 1;
    } while (cursor !== undefined);
    clearInterval(timer);
    const { counts } = await window.profile.health();
    const ms = performance.now() - begun;
    return { keys: keys.size, pages, longestPause, stoodShare: stood / ms, ms, counts };
  });
  console.log(`100,000 operations: ${JSON.stringify(seen)}`);
  expect(seen).toMatchObject({ keys: 100_000, pages: 100, counts: { completed: 100_000 } });
  // A page that clones them all at once stands still for most of that time.
  expect(seen.stoodShare).toBeLessThan(0.5);
});

test("a worker that starts removes what has expired, and a replay never gets it", async ({
  openLab,
}) => {
  const page = await connect(await openLab());
  await page.evaluate(() => window.profile.ready().then(() => window.profile.operations.list()));
  await fill(page, 300, -1);
  expect(await send(page, "old:000007")).toMatchObject({ by: expect.any(String) });
  await page.reload();
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  await connect(page);
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const { operations } = await window.profile.operations.list({ limit: 1_000 });
        return operations.map(({ key }) => key);
      }),
    )
    .toEqual(["old:000007"]);
});

test("a full disk refuses the call before its handler runs, and the profile's health says so", async ({
  openLab,
}) => {
  const page = await connect(await openLab());
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  // Before the first write: Chromium looks at the quota now and then only.
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  expect(await sendForCode(page, "a")).toBe("coordination_unavailable");
  expect(await page.evaluate(() => window.profile.health())).toMatchObject({
    mode: "shared",
    lastStorageError: { name: "QuotaExceededError" },
  });
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  await expect.poll(() => sendForCode(page, "a"), { timeout: 15_000 }).toBe("answered");
});
