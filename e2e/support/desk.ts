import type { Page } from "@playwright/test";
import type { TabProfile } from "../../client/index.js";

/** How a call in the page ended. */
export type Ended =
  | { readonly output: unknown }
  | { readonly code: string | undefined; readonly message: string };

/** A page's profile, and a tool over it whose handler the test holds and lets go on. */
interface Desk {
  readonly profile: TabProfile;
  /** An idempotent call with this key. */
  readonly send: (key: string) => Promise<Ended>;
  /** From now on handlers stop between their effect and their return. */
  readonly hold: () => void;
  readonly goOn: () => void;
  /** The keys whose effect has happened in this page, once for each time. */
  readonly effects: string[];
  /** What the calls have reported. */
  readonly stages: string[];
}

declare global {
  interface Window {
    readonly desk: Desk;
  }
}

export interface DeskOptions {
  readonly waitTimeoutMs?: number;
  /** How many characters each output has besides what it says. */
  readonly padding?: number;
}

/** Sets the desk up in a lab page. Recovery believes the journal: what has an entry has happened. */
export async function setUp(page: Page, options: DeskOptions = {}): Promise<Page> {
  await page.evaluate(({ waitTimeoutMs, padding = 0 }) => {
    const { client, signett } = window.lab;
    const profile = client.connectProfile();
    let gate = Promise.resolve();
    let goOn = () => {};
    const effects: string[] = [];
    const stages: string[] = [];
    const call = signett.guard(
      async ({ key }, { operation }): Promise<unknown> => {
        await operation?.write({ key });
        effects.push(key);
        await gate;
        return { key, by: crypto.randomUUID(), padding: "x".repeat(padding) };
      },
      {
        name: "send_note",
        inputSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
        profile,
        observe: ({ stage }) => stages.push(stage),
        idempotency: {
          key: ({ input }) => input.key,
          ...(waitTimeoutMs !== undefined && { waitTimeoutMs }),
        },
        recover: async ({ operation }) =>
          (await operation?.read())
            ? { recovered: true, output: "recovered" }
            : { recovered: false },
      },
    );
    const send = (key: string) =>
      call({ key }).then(
        (output) => ({ output }),
        ({ code, message }: { code?: string; message: string }) => ({ code, message }),
      );
    const hold = () => {
      gate = new Promise((resolve) => {
        goOn = resolve;
      });
    };
    const desk = { profile, send, hold, goOn: () => goOn(), effects, stages };
    Object.assign(window, { desk });
  }, options);
  return page;
}

/** Makes a call in the page. */
export const send = (page: Page, key: string) => page.evaluate((k) => window.desk.send(k), key);

/** The effects that happened in these pages. */
export async function effectsIn(...pages: readonly Page[]): Promise<string[]> {
  const effects = await Promise.all(pages.map((page) => page.evaluate(() => window.desk.effects)));
  return effects.flat();
}

/** The stages that the page's calls have reported. */
export const stagesOf = (page: Page) => page.evaluate(() => window.desk.stages);

/** What is stored for the key, as the page sees it. */
export const operation = (page: Page, key: string) =>
  page.evaluate((k) => window.desk.profile.operations.get(k), key);

/** A call whose effect has happened, and whose handler has not returned. */
export interface HeldCall {
  /** How it ends, once it is let go on. */
  readonly ended: Promise<Ended>;
  readonly goOn: () => Promise<void>;
}

/** Makes a call in the page that stays in the middle of its effect. */
export async function sendAndHold(page: Page, key: string): Promise<HeldCall> {
  await page.evaluate(() => window.desk.hold());
  const ended = send(page, key);
  ended.catch(() => {});
  await page.waitForFunction((k) => window.desk.effects.includes(k), key);
  return { ended, goOn: () => page.evaluate(() => window.desk.goOn()) };
}

/** Resolves when so many calls wait for the key. */
export async function waiting(page: Page, key: string, count: number): Promise<void> {
  await page.waitForFunction(
    async ([k, wanted]) => (await window.desk.profile.operations.get(k))?.waiters === wanted,
    [key, count] as const,
  );
}
