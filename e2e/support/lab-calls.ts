import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** An idempotent call of this page, which says what its handler was given. */
    readonly send: (key: string) => Promise<unknown>;
    readonly mode: () => string;
    /** How often the page's handler was entered. */
    executed: number;
    /** The names that the profile has asked for workers with. */
    readonly names: readonly string[];
  }
}

/** Connects a profile in the page, with this worker script or the library's own. */
export async function connect(
  page: Page,
  script?: string,
  helloTimeoutMs = 20_000,
  type: WorkerType = "module",
): Promise<void> {
  const options = { url: script, helloTimeoutMs, type };
  await page.evaluate(({ url, helloTimeoutMs, type }) => {
    const { client, signett } = window.lab;
    const names: string[] = [];
    const worker = (name: string) => {
      names.push(name);
      return new SharedWorker(url ?? "", { type, name });
    };
    const profile = client.connectProfile({
      helloTimeoutMs,
      ...(url === undefined ? {} : { worker }),
    });
    const send = signett.guard(
      async ({ key }, { operation }) => {
        window.executed += 1;
        await operation?.write({ key });
        return { key, by: crypto.randomUUID() };
      },
      {
        name: "send_note",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
        profile,
        idempotency: { key: ({ input }) => input.key },
      },
    );
    const mode = () => profile.mode;
    Object.assign(window, { names, mode, executed: 0, send: (key: string) => send({ key }) });
  }, options);
}

/** Makes an idempotent call in the page. */
export const send = (page: Page, key: string) => page.evaluate((k) => window.send(k), key);
/** How the page is coordinated. */
export const mode = (page: Page) => page.evaluate(() => window.mode());
