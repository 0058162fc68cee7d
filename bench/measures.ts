import type { Page } from "@playwright/test";
import type { Browser } from "./browser.js";
import type { Subject } from "./page/subjects.js";
import type { Target } from "./page/work.js";

/** Every key and database is used by one measurement only. */
let used = 0;
const unused = (what: string): string => `${what} ${++used}`;

const keysOf = (count: number): string[] => {
  const prefix = unused("key");
  return Array.from({ length: count }, (_, i) => `${prefix}/${i}`);
};

const calls = (
  page: Page | undefined,
  target: Target,
  options: {
    readonly keys: readonly string[];
    readonly expected: "fresh" | "completed";
    readonly bytes?: number;
  },
): Promise<number[]> => {
  if (!page) throw new Error("There is no such tab.");
  return page.evaluate(([target, options]) => window.bench.eachCall(target, options), [
    target,
    options,
  ] as const);
};

/** Connects the tabs to the records of that name. */
export async function warmUp(tabs: readonly Page[], { subject, name }: Target): Promise<void> {
  for (const tab of tabs) {
    await tab.evaluate(([s, n]) => window.bench.warmUp(s, n), [subject, name] as const);
  }
}

/** Milliseconds of fresh calls in one tab, while the others are open. */
export const fresh = ([tab]: readonly Page[], target: Target, count: number, bytes?: number) =>
  calls(tab, target, { keys: keysOf(count), expected: "fresh", ...(bytes && { bytes }) });

/** Milliseconds of fresh calls in all tabs at once, in each one after the other. */
export const freshAtOnce = async (tabs: readonly Page[], target: Target, count: number) =>
  (await Promise.all(tabs.map((tab) => fresh([tab], target, count)))).flat();

/** Milliseconds of replays in one tab of what another has run. */
export const replay = ([owner, other]: readonly Page[], target: Target, count: number) =>
  replaysIn([other], [owner], target, count);

/** Milliseconds of replays in all tabs at once, in each of what another has run. */
export const replayAtOnce = (tabs: readonly Page[], target: Target, count: number) =>
  replaysIn(tabs, [...tabs.slice(1), ...tabs.slice(0, 1)], target, count);

async function replaysIn(
  tabs: readonly (Page | undefined)[],
  owners: readonly (Page | undefined)[],
  target: Target,
  count: number,
): Promise<number[]> {
  const completed = tabs.map(() => keysOf(count));
  const all = (who: typeof tabs, expected: "fresh" | "completed") =>
    Promise.all(completed.map((keys, i) => calls(who[i], target, { keys, expected })));
  await all(owners, "fresh");
  return (await all(tabs, "completed")).flat();
}

/** Milliseconds from the start of the first call to the end of the last, all tabs at once. */
async function together(
  tabs: readonly Page[],
  target: Target,
  {
    keysOfTab,
    inFlight,
    bytes = 100,
  }: {
    readonly keysOfTab: (tab: number) => readonly string[];
    readonly inFlight: number;
    readonly bytes?: number;
  },
): Promise<number> {
  const startAt = Date.now() + 150;
  const spans = await Promise.all(
    tabs.map((tab, index) =>
      tab.evaluate(([target, options]) => window.bench.allCalls(target, options), [
        target,
        { keys: keysOfTab(index), inFlight, startAt, bytes },
      ] as const),
    ),
  );
  return Math.max(...spans.map(({ end }) => end)) - Math.min(...spans.map(({ start }) => start));
}

/** How long keys take that nobody shares: milliseconds for all of them. */
export async function burst(
  tabs: readonly Page[],
  target: Target,
  { each, inFlight }: { readonly each: number; readonly inFlight: number },
): Promise<number[]> {
  return [await together(tabs, target, { keysOfTab: () => keysOf(each), inFlight })];
}

/** Milliseconds from an owner's settlement to the last answer of the tabs that wait. */
export async function converge(tabs: readonly Page[], target: Target): Promise<number[]> {
  const key = unused("shared");
  const [owner, ...waiters] = tabs;
  await owner?.evaluate(([t, k]) => window.bench.own(t, k), [target, key] as const);
  for (const tab of waiters) {
    await tab.evaluate(([t, k]) => window.bench.join(t, k), [target, key] as const);
  }
  const settled = await owner?.evaluate((k) => window.bench.settle(k), key);
  const answers = await Promise.all(
    waiters.map((tab) => tab.evaluate((k) => window.bench.answered(k), key)),
  );
  return [Math.max(...answers) - (settled ?? Number.NaN)];
}

/** Milliseconds until every tab has every answer. */
export async function convergeMany(
  tabs: readonly Page[],
  target: Target,
  count: number,
): Promise<number[]> {
  const keys = keysOf(count);
  return [await together(tabs, target, { keysOfTab: () => keys, inFlight: count })];
}

/** Milliseconds until so many replays of one key, asked for at once by one tab, are answered. */
export async function replays(
  tabs: readonly Page[],
  target: Target,
  count: number,
): Promise<number[]> {
  const [key = ""] = keysOf(1);
  await calls(tabs[0], target, { keys: [key], expected: "fresh" });
  const keysOfTab = () => Array.from({ length: count }, () => key);
  return [await together(tabs.slice(1, 2), target, { keysOfTab, inFlight: count })];
}

/** Fills a profile's database. */
export async function filled(
  [tab]: readonly Page[],
  name: string,
  range: { readonly from: number; readonly to: number; readonly bytes?: number },
): Promise<void> {
  await tab?.evaluate(([n, r]) => window.bench.fill(n, r), [name, range] as const);
}

/** Microseconds that the runtime adds to its handler. */
export async function pipeline([tab]: readonly Page[], count: number): Promise<number> {
  return (await tab?.evaluate((n) => window.bench.pipeline(n), count)) ?? Number.NaN;
}

/** MiB that the worker keeps for each 10,000 operations with outputs of 1 kB that it has completed. */
export async function workerMemory(browser: Browser, tabs: readonly Page[], count: number) {
  const target = { subject: "profile" as Subject, name: unused("memory") };
  await warmUp(tabs, target);
  await fresh(tabs, target, 20, 1_000);
  const idle = await browser.workerBytes(`${target.name}:v1`);
  const keys = keysOf(count);
  const share = Math.ceil(count / tabs.length);
  const keysOfTab = (tab: number) => keys.slice(tab * share, (tab + 1) * share);
  await together(tabs, target, { keysOfTab, inFlight: 64, bytes: 1_000 });
  const bytes = (await browser.workerBytes(`${target.name}:v1`)) - idle;
  return bytes / 2 ** 20 / (count / 10_000);
}
