import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, type CDPSession, chromium, type Page } from "@playwright/test";
import { preview } from "vite";

/** With these two a page's clock has a resolution of 5 µs. */
const isolated = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A browser with its profile on the disk: in one without, IndexedDB is in memory and costs nothing. */
export interface Browser {
  /** Opens tabs until there are so many, and gives the first ones. */
  tabs(count: number): Promise<Page[]>;
  /** Opens one more tab, which the caller closes. */
  newTab(): Promise<Page>;
  /** Bytes that the SharedWorkers with this name use after a garbage collection. */
  workerBytes(name: string): Promise<number>;
  readonly version: string;
  close(): Promise<void>;
}

/** Serves the page and starts a browser for it. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const server = await preview({
    configFile: "bench/page/vite.config.ts",
    preview: { port: 0, host: "localhost", headers: isolated },
    logLevel: "warn",
  });
  const { port } = server.httpServer.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "signett-bench-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    args: ["--no-sandbox", "--no-first-run", "--disable-background-networking"],
  });
  const open: Page[] = [];
  const target = await context.newPage();
  const devTools = await context.newCDPSession(target);
  return {
    version: context.browser()?.version() ?? "unknown",
    async tabs(count) {
      while (open.length < count) open.push(await openTab(context, port));
      return open.slice(0, count);
    },
    newTab: () => openTab(context, port),
    workerBytes: (name) => workerBytes(devTools, name),
    async close() {
      await context.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openTab(context: BrowserContext, port: number): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.locator("html[data-ready]").waitFor({ state: "attached" });
  return page;
}

/** Asks the browser's own DevTools target, because workers belong to no page. */
async function workerBytes(devTools: CDPSession, name: string): Promise<number> {
  const { targetInfos } = await devTools.send("Target.getTargets", {
    filter: [{ type: "shared_worker" }],
  });
  let bytes = 0;
  for (const { targetId, title } of targetInfos) {
    if (title !== name) continue;
    bytes += await heapOf(devTools, targetId);
  }
  return bytes;
}

/** Playwright has no sessions for workers, so that messages to one are wrapped by hand. */
async function heapOf(devTools: CDPSession, targetId: string): Promise<number> {
  const { sessionId } = await devTools.send("Target.attachToTarget", { targetId });
  let last = 0;
  const send = (method: string) =>
    new Promise<{ readonly usedSize?: number }>((resolve, reject) => {
      const id = ++last;
      const listen = (event: { readonly sessionId: string; readonly message: string }) => {
        const answer = JSON.parse(event.message);
        if (event.sessionId !== sessionId || answer.id !== id) return;
        devTools.off("Target.receivedMessageFromTarget", listen);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result);
      };
      devTools.on("Target.receivedMessageFromTarget", listen);
      const message = JSON.stringify({ id, method });
      devTools.send("Target.sendMessageToTarget", { sessionId, message }).catch(reject);
    });
  try {
    await send("HeapProfiler.collectGarbage");
    return (await send("Runtime.getHeapUsage")).usedSize ?? Number.NaN;
  } finally {
    await devTools.send("Target.detachFromTarget", { sessionId });
  }
}
