import type { BrowserContext, Page } from "@playwright/test";
import type { OperationInfo } from "signett";
import { callTool, closeTab, crashTab, operations } from "signett/testing/playwright";
import type { CallEnd } from "./chronicle.js";
import { Document } from "./document.js";
import type { Operation, Recorder } from "./recorder.js";
import { standStill } from "./stand-still.js";
import { within } from "./within.js";

/** How long the browser may take for anything, in milliseconds, before the tab is replaced. */
const LONGEST_MS = 20_000;
/** What a page is marked with before it is left. */
const MARK = "signettChaosLeft";
const GONE: CallEnd = { status: "gone", via: "native", stages: [] };

/** A place for one tab of the demo. When its page is gone, another one is opened in its place. */
export class Tab {
  readonly #context: BrowserContext;
  readonly #recorder: Recorder;
  #page: Page;
  #document = new Document();
  /** Something is being done to it. */
  #busy = false;

  private constructor(context: BrowserContext, recorder: Recorder, page: Page) {
    this.#context = context;
    this.#recorder = recorder;
    this.#page = page;
  }

  static async open(context: BrowserContext, recorder: Recorder): Promise<Tab> {
    const tab = new Tab(context, recorder, await openPage(context));
    await tab.#load();
    return tab;
  }

  /** It can be called, and things can be done to it. */
  get ready(): boolean {
    return !this.#busy && !this.#document.over;
  }

  /** An agent's call. It resolves when the call has an end, or its document. */
  async call(operation: Operation): Promise<void> {
    const document = this.#document;
    const called = callTool(this.#page, "cancel_order", operation.input, { timeoutMs: LONGEST_MS });
    const end = called.catch(
      (error: unknown): CallEnd =>
        document.over ? GONE : { status: "unheard", why: String(error).split("\n")[0] ?? "" },
    );
    const gone = document.ended.then(() => GONE);
    await this.#recorder.call(operation, document.number, Promise.race([end, gone]));
  }

  operations(): Promise<OperationInfo[]> {
    return within(LONGEST_MS, "listing what is stored", operations(this.#page));
  }

  /** Opens it again if it died without being asked to. */
  async revive(): Promise<void> {
    if (this.#document.over && !this.#busy) await this.#undergo(() => this.#replace());
  }

  close(): Promise<void> {
    return this.#undergo(async () => {
      await closeTab(this.#page);
      await this.#replace();
    });
  }

  crash(): Promise<void> {
    return this.#undergo(async () => {
      await crashTab(this.#page);
      await this.#replace();
    });
  }

  reload(): Promise<void> {
    return this.#undergo(async () => {
      await this.#page.reload();
      await this.#load();
    });
  }

  /** Leaves for another page of the site, and comes back: through the back/forward cache, where the browser has kept it. */
  goAndComeBack(meanwhile: () => Promise<void>): Promise<void> {
    return this.#undergo(async () => {
      const page = this.#page;
      await page.evaluate((name) => Reflect.set(globalThis, name, true), MARK);
      await page.goto("/api/health");
      this.#document.end();
      await meanwhile();
      await page.goBack({ waitUntil: "commit" });
      await this.#load();
      // What the page remembers can only come from the cache.
      const restored = await page.evaluate((name) => Reflect.has(globalThis, name), MARK);
      if (restored) this.#recorder.restored += 1;
    });
  }

  freeze(meanwhile: () => Promise<void>): Promise<void> {
    return this.#undergo(async () => {
      const { number } = this.#document;
      const from = this.#recorder.now;
      try {
        await standStill(this.#page, meanwhile);
      } finally {
        this.#recorder.stillnesses.push({ document: number, from, to: this.#recorder.now });
      }
    });
  }

  /** @throws what went wrong; the tab is then replaced. */
  async #undergo(fault: () => Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      await fault();
    } catch (error) {
      await this.#replace();
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** Waits for the demo in the page. What was there before is over. */
  async #load(): Promise<void> {
    const page = this.#page;
    this.#document.end();
    await within(
      LONGEST_MS,
      "loading",
      page.locator("html[data-ready]").waitFor({ state: "attached" }),
    );
    const document = new Document();
    this.#document = document;
    page.once("close", () => document.end());
    page.once("crash", () => document.end());
  }

  async #replace(): Promise<void> {
    this.#document.end();
    const old = this.#page;
    await within(LONGEST_MS, "closing", old.close()).catch(() => {});
    this.#page = await openPage(this.#context);
    await this.#load();
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  // The demo asks nobody before an order is cancelled.
  await page.goto("/?ask=0");
  return page;
}
