import type { Page } from "@playwright/test";
import type { Browser } from "./browser.js";
import type { Target } from "./page/work.js";
import { quantile } from "./statistics.js";

/** How an owner's tab ends. */
interface Death {
  readonly name: string;
  /** The worker lives in the tab that dies, and has to be replaced. */
  readonly withWorker: boolean;
  /** Resolves when the tab is gone; it need not be waited for. */
  readonly kill: (page: Page) => Promise<unknown>;
}

const crash = async (page: Page) => {
  const devTools = await page.context().newCDPSession(page);
  // The process that would answer is gone.
  devTools.send("Page.crash").catch(() => {});
  await page.waitForEvent("crash");
};

const deaths: readonly Death[] = [
  { name: "close", withWorker: false, kill: (page) => page.close() },
  { name: "crash", withWorker: false, kill: crash },
  { name: "navigation", withWorker: false, kill: (page) => page.goto(`${page.url()}?away`) },
  { name: "crash, with the worker", withWorker: true, kill: crash },
];

/** Milliseconds from the moment in which a tab was told to end. */
interface Handover {
  /** Until another tab was granted a Web Lock that the dead one had held. */
  readonly lock: number;
  /** Until the tab that waited for its key had taken it over, durably. */
  readonly takeover: number;
}

const now = () => performance.timeOrigin + performance.now();
let used = 0;

/** One death: what others get when it is theirs. Both wait for the same tab. */
async function handover(browser: Browser, { withWorker, kill }: Death): Promise<Handover> {
  const [watcher, waiter, owner] = [
    await browser.newTab(),
    await browser.newTab(),
    await browser.newTab(),
  ];
  const target: Target = { subject: "profile", name: `takeover-${++used}` };
  // The worker lives with the tab that connects first.
  for (const tab of withWorker ? [owner, waiter] : [waiter, owner]) await connect(tab, target);
  await owner.evaluate(([t, k]) => window.bench.own(t, k), [target, "key"] as const);
  await owner.evaluate((name) => window.bench.holdLock(name), target.name);
  await waiter.evaluate(([t, k]) => window.bench.awaitTakeover(t, k), [target, "key"] as const);
  await watcher.evaluate((name) => window.bench.awaitLock(name), target.name);
  const start = now();
  const killed = kill(owner);
  const [lock, takeover] = await Promise.all([
    watcher.evaluate((name) => window.bench.granted(name), target.name),
    waiter.evaluate((key) => window.bench.granted(key), "key"),
  ]);
  await killed;
  for (const tab of [watcher, waiter, owner]) await tab.close();
  return { lock: lock - start, takeover: takeover - start };
}

const connect = (tab: Page, { subject, name }: Target) =>
  tab.evaluate(([s, n]) => window.bench.warmUp(s, n), [subject, name] as const);

/** So many deaths of each kind, and a table of what they have cost. */
export async function takeovers(browser: Browser, count: number) {
  const measured = new Map<string, Handover[]>();
  // In turn, so that what the machine does meanwhile meets all kinds alike.
  for (let index = 0; index < count; index++) {
    console.error(`death ${index + 1} of ${count}`);
    for (const death of deaths) {
      const before = measured.get(death.name) ?? [];
      measured.set(death.name, [...before, await handover(browser, death)]);
    }
  }
  return { table: tableOf(measured), measured: Object.fromEntries(measured) };
}

function tableOf(measured: ReadonlyMap<string, readonly Handover[]>): string {
  const rows = Array.from(measured, ([name, handovers]) => {
    const columns = [
      handovers.map(({ lock }) => lock),
      handovers.map(({ takeover }) => takeover),
      handovers.map(({ lock, takeover }) => takeover - lock),
    ].map((times) => `${milliseconds(times, 0.5)} / ${milliseconds(times, 0.95)}`);
    return `| ${[name, handovers.length, ...columns].join(" | ")} |`;
  });
  return [
    "| the owner's end | deaths | bare Web Lock, p50 / p95 ms | takeover, p50 / p95 ms | between the two, p50 / p95 ms |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const milliseconds = (times: readonly number[], share: number): string =>
  quantile(times, share).toFixed(0);
