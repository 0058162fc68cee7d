import type { Page } from "@playwright/test";
import { callTool } from "signett/testing/playwright";
import { expect, ready, test } from "./support/test.js";

/** What one call of a tool in the lab page came to. */
interface Attempt {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
  /** How often the handler was entered. */
  readonly executed: number;
}

/** Exposes an idempotent tool over a profile with the given worker script, and has an agent call it. */
async function attempt(page: Page, workerUrl?: string, helloTimeoutMs = 20_000): Promise<Attempt> {
  await page.evaluate(
    async ({ url, helloTimeoutMs }) => {
      const { client, signett } = window.lab;
      const worker = () => new SharedWorker(url ?? "", { type: "module", name: `bad:${url}` });
      const profile = client.connectProfile({
        namespace: `bad ${crypto.randomUUID()}`,
        helloTimeoutMs,
        ...(url === undefined ? {} : { worker }),
      });
      window.executed = 0;
      await signett.createSignett({ profile }).expose({
        name: "send_note",
        description: "Send one short note.",
        inputSchema: { type: "object" },
        idempotency: { key: () => "note" },
        execute: () => {
          window.executed += 1;
        },
      });
    },
    { url: workerUrl, helloTimeoutMs },
  );
  const outcome = await callTool(page, "send_note");
  if (outcome.status !== "failed") throw new Error(`The call ended as ${outcome.status}.`);
  const { name, code, message } = outcome.error;
  return { name, code, message, executed: await page.evaluate(() => window.executed) };
}

declare global {
  interface Window {
    executed: number;
  }
}

const refused = (message: string | RegExp) => ({
  name: "CoordinationUnavailableError",
  code: "coordination_unavailable",
  message: expect.stringMatching(message),
  executed: 0,
});

/** Serves the lab under another policy. */
async function openUnder(page: Page, policy: string): Promise<void> {
  await page.route("/lab.html", async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), "content-security-policy": policy };
    await route.fulfill({ response, headers });
  });
  await page.goto("/lab.html");
  await ready(page);
}

test("a blob: worker, of which every tab would have its own: refused, and the message says why (C026, vitejs/vite#11956; C027, webpack-contrib/worker-loader#324)", async ({
  context,
}) => {
  const page = await context.newPage();
  await openUnder(page, "worker-src * blob:");
  const script = await page.evaluate(async () => {
    // The build hashes the script's name; the library's own attempt tells it.
    const url = await new Promise<URL>((found) => {
      window.SharedWorker = new Proxy(SharedWorker, {
        construct(target, [script, options]) {
          found(script);
          return new target(script, options);
        },
      });
      window.lab.client.connectProfile({ namespace: "probe" }).ready();
    });
    const text = await (await fetch(url)).text();
    return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  });
  expect(await attempt(page, script)).toEqual(refused(/blob: URL.*every tab has its own/));
});

test("a page without IndexedDB: refused before any effect", async ({ context }) => {
  const page = await context.newPage();
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "indexedDB");
    Reflect.deleteProperty(Window.prototype, "indexedDB");
  });
  await page.goto("/lab.html");
  await ready(page);
  expect(await attempt(page)).toEqual(refused(/no IndexedDB/));
});

test("a page without Web Locks: refused before any effect", async ({ context }) => {
  const page = await context.newPage();
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
  await page.goto("/lab.html");
  await ready(page);
  expect(await attempt(page)).toEqual(refused(/no Web Locks/));
});

test("a database of a newer build: refused, and left as it is (C018, rocicorp/replicache#741)", async ({
  openLab,
}) => {
  const page = await openLab();
  const outcome = await page.evaluate(async () => {
    const opened = indexedDB.open("newer", 99);
    await new Promise((resolve) => {
      opened.onsuccess = resolve;
    });
    opened.result.close();
    const profile = window.lab.client.connectProfile({ namespace: "newer" });
    const { signal } = new AbortController();
    const error = await profile.idempotency.begin("key", { signal, tool: "t" }).then(
      () => undefined,
      (reason: Error) => ({ name: reason.name, message: reason.message, cause: `${reason.cause}` }),
    );
    const versions = await indexedDB.databases();
    return { error, version: versions.find(({ name }) => name === "newer")?.version };
  });
  expect(outcome.error?.name).toBe("CoordinationUnavailableError");
  expect(outcome.error?.message).toContain("newer version");
  expect(outcome.error?.message).toContain("Reload the page");
  expect(outcome.error?.cause).toContain("VersionError");
  expect(outcome.version).toBe(99);
});

test("a key that is empty, too long or no text: refused before any effect", async ({ openLab }) => {
  const page = await openLab();
  await page.evaluate(async () => {
    const { client, signett } = window.lab;
    const surface = signett.createSignett({ profile: client.connectProfile() });
    window.executed = 0;
    const keys: unknown[] = ["", "k".repeat(1_025), undefined, 7];
    for (const [index, key] of keys.entries()) {
      await surface.expose({
        name: `send_note_${index}`,
        description: "Send one short note.",
        inputSchema: { type: "object" },
        idempotency: { key: () => key as string },
        execute: () => {
          window.executed += 1;
        },
      });
    }
  });
  for (let index = 0; index < 4; index++) {
    expect(await callTool(page, `send_note_${index}`)).toMatchObject({
      status: "failed",
      error: { name: "TypeError", message: expect.stringContaining("1 to 1024 characters") },
    });
  }
  expect(await page.evaluate(() => window.executed)).toBe(0);
});

test("an output that is no data: the effect is known to have happened, and never runs again (C041, GoogleChromeLabs/comlink#679)", async ({
  openLab,
}) => {
  const page = await openLab();
  await page.evaluate(async () => {
    const { client, signett } = window.lab;
    const surface = signett.createSignett({ profile: client.connectProfile() });
    window.executed = 0;
    const outputs: Record<string, () => unknown> = {
      symbol: () => Symbol("no data"),
      function: () => ({ deep: [() => {}] }),
      map: () => new Map(),
    };
    for (const [kind, output] of Object.entries(outputs)) {
      await surface.expose({
        name: `make_${kind}`,
        description: "Make one output of a kind.",
        inputSchema: { type: "object" },
        idempotency: { key: () => kind },
        recover: () => ({ recovered: false }),
        execute: () => {
          window.executed += 1;
          return output();
        },
      });
    }
  });
  for (const kind of ["symbol", "function", "map"]) {
    for (let call = 0; call < 2; call++) {
      expect(await callTool(page, `make_${kind}`)).toMatchObject({
        status: "failed",
        error: { code: "outcome_unknown" },
      });
    }
  }
  expect(await page.evaluate(() => window.executed)).toBe(3);
});
