import type { Page } from "@playwright/test";
import type { LifecycleEvent, Stage } from "../../events.js";
import { stopped } from "./chromium.js";
import type { WithPageSide } from "./page-side.js";

/**
 * What Signett has reported in this page, oldest first: registrations and calls of all its interfaces, since the document was
 * loaded.
 * @throws {Error} when the page was opened before its context was prepared by `openTabs`.
 */
export async function eventsOf(page: Page): Promise<LifecycleEvent[]> {
  const events = await page.evaluate(
    () => (globalThis as WithPageSide)[Symbol.for("signett.testing")]?.events,
  );
  if (events) return events;
  throw unprepared("eventsOf");
}

/** Resolves when a call in this page has come to a stage since the document was loaded. */
export async function untilStage(page: Page, stage: Stage): Promise<void> {
  const found = await page.waitForFunction((wanted) => {
    const side = (globalThis as WithPageSide)[Symbol.for("signett.testing")];
    if (!side) return "unprepared";
    return side.events.some((event) => event.stage === wanted) && "reached";
  }, stage);
  if ((await found.jsonValue()) === "unprepared") throw unprepared("untilStage");
}

/**
 * Of tabs that call with one key, the one that runs the handler: resolves when all the others wait for it.
 * @throws {TypeError} for fewer than two pages.
 */
export async function ownerOf(pages: readonly Page[]): Promise<Page> {
  if (pages.length < 2)
    throw new TypeError("ownerOf: an owner is told from those who wait for it.");
  const waiting = new Set<Page>();
  return await new Promise((resolve, reject) => {
    for (const page of pages) {
      untilStage(page, "waiting").then(() => {
        waiting.add(page);
        const [owner] = pages.filter((other) => !waiting.has(other));
        if (owner && waiting.size === pages.length - 1) resolve(owner);
      }, reject);
    }
  });
}

/** The stages of the call that an agent has just been told the end of. */
export async function stagesOf(page: Page, tool: string, input: object): Promise<Stage[]> {
  if (stopped.has(page)) return [];
  const seen = page.evaluate(
    ([name, sent]) => {
      const side = (globalThis as WithPageSide)[Symbol.for("signett.testing")];
      const text = side?.textOf(JSON.parse(sent));
      const equal = (side?.calls ?? []).filter(
        (call) => !call.claimed && call.tool === name && call.input === text,
      );
      // One that was taken back may still run.
      const call = equal.find(({ ended }) => ended) ?? equal[0];
      if (!side || !call) return [];
      call.claimed = true;
      return side.events.flatMap(({ invocationId, stage }) =>
        invocationId === call.invocationId ? [stage] : [],
      );
    },
    [tool, JSON.stringify(input)] as const,
  );
  // The page may be gone by now.
  return await seen.catch(() => []);
}

/** What can't be looked at. */
export function unprepared(helper: string): Error {
  return new Error(
    `${helper}: this page was opened before its context was prepared. Open it with openTabs, or call prepareContext first.`,
  );
}
