import type { Page } from "@playwright/test";
import type { Browser } from "./browser.js";
import type { FigureKey } from "./figures.js";
import * as measures from "./measures.js";
import type { Subject } from "./page/subjects.js";
import type { Target } from "./page/work.js";
import type { Samples } from "./samples.js";

/** What one round found. */
export type Ratios = Partial<Record<FigureKey, number>>;

/** Measures something, and names it: milliseconds each. */
type Measurement = () => Promise<Readonly<Record<string, readonly number[]>>>;

const LAPS = 3;

const subjects: readonly Subject[] = ["profile", "baseline"];

/** One round: subject and baseline in turn, and who is first changes from round to round. */
export class Round {
  readonly #browser: Browser;
  readonly #samples: Samples;
  readonly #order: readonly Subject[];

  constructor(browser: Browser, samples: Samples, index: number) {
    this.#browser = browser;
    this.#samples = samples;
    this.#order = index % 2 === 0 ? subjects : [...subjects].reverse();
  }

  /** One tab calls, and what the platform's own parts cost. */
  async oneCalls(): Promise<Ratios> {
    const tabs = await this.#tabs(2);
    const { of } = await this.#inTurns([
      ...this.#each("replay, 1 tab", (target) => measures.replay(tabs, target, 30)),
      ...this.#each("fresh, 1 tab", (target) => measures.fresh(tabs, target, 30)),
      ...floorOf(tabs),
    ]);
    const ping = of("ping");
    const transactions = of("strict transaction") + of("relaxed transaction");
    return {
      replay_vs_ping: of("replay, 1 tab, profile") / ping,
      fresh_vs_floor: of("fresh, 1 tab, profile") / (transactions + 2 * ping),
      baseline_vs_floor: of("fresh, 1 tab, baseline") / (transactions + of("lock")),
    };
  }

  /** All of four tabs call at once. */
  async fourCall(): Promise<Ratios> {
    const tabs = await this.#tabs(4);
    const { of } = await this.#inTurns([
      ...this.#each("replay, 4 tabs", (target) => measures.replayAtOnce(tabs, target, 30)),
      ...this.#each("fresh, 4 tabs", (target) => measures.freshAtOnce(tabs, target, 30)),
    ]);
    const replays = await this.#both("100 replays", (target) =>
      measures.replays(tabs, target, 100),
    );
    return {
      replay_vs_baseline: of("replay, 4 tabs, baseline") / of("replay, 4 tabs, profile"),
      fresh_vs_baseline: of("fresh, 4 tabs, baseline") / of("fresh, 4 tabs, profile"),
      replay100_vs_baseline: replays.baseline / replays.profile,
    };
  }

  async sixteenTabs(): Promise<Ratios> {
    const tabs = await this.#tabs(16);
    const work = { each: 64, inFlight: 16 };
    const { of } = await this.#inTurns([
      ...this.#each("burst of 1,024 keys", (target) => measures.burst(tabs, target, work)),
      async () => ({
        "rows of 1,024 keys alone, in the worker":
          (await tabs[0]?.evaluate(() => window.bench.operations(1_024, 128))) ?? [],
      }),
      ...this.#each("last answer", (target) => measures.converge(tabs, target)),
      ...this.#each("20 keys, 16 tabs", (target) => measures.convergeMany(tabs, target, 20)),
    ]);
    const ratio = (name: string) => of(`${name}, baseline`) / of(`${name}, profile`);
    return {
      burst_vs_baseline: ratio("burst of 1,024 keys"),
      converge_vs_baseline: ratio("last answer"),
      converge20_vs_baseline: ratio("20 keys, 16 tabs"),
    };
  }

  /** What many records cost, in the database and in the worker. */
  async records(): Promise<Ratios> {
    const tabs = await this.#browser.tabs(4);
    const [few, many] = [100, 100_000].map(
      (count): Target => ({ subject: "profile", name: `bench-${count}` }),
    );
    if (!few || !many) return {};
    const times = { few: [] as number[], many: [] as number[] };
    for (let i = 0; i < 4; i++) {
      times.few.push(...(await measures.fresh(tabs, few, 15)));
      times.many.push(...(await measures.fresh(tabs, many, 15)));
    }
    const among100 = this.#samples.add("fresh among 100 records", times.few);
    const among100k = this.#samples.add("fresh among 100,000 records", times.many);
    return {
      claim_100k_vs_100: among100k / among100,
      worker_mib_per_10k: await measures.workerMemory(this.#browser, tabs, 10_000),
    };
  }

  async pipeline(): Promise<Ratios> {
    const tabs = await this.#browser.tabs(1);
    return { pipeline_us: await measures.pipeline(tabs, 20_000) };
  }

  async #tabs(count: number): Promise<Page[]> {
    const tabs = await this.#browser.tabs(count);
    for (const subject of this.#order) await measures.warmUp(tabs, targetOf(subject));
    return tabs;
  }

  /** One measurement for each subject. */
  #each(name: string, measure: (target: Target) => Promise<readonly number[]>): Measurement[] {
    return this.#order.map((subject) => async () => ({
      [`${name}, ${subject}`]: await measure(targetOf(subject)),
    }));
  }

  /** Measures a little of each, again and again, so that whatever else the machine does meets all of them. Gives medians. */
  async #inTurns(measurements: readonly Measurement[]) {
    const times = new Map<string, number[]>();
    for (let lap = 0; lap < LAPS; lap++) {
      for (const measurement of measurements) {
        for (const [name, some] of Object.entries(await measurement())) {
          times.set(name, [...(times.get(name) ?? []), ...some]);
        }
      }
    }
    const medians = new Map(
      Array.from(times, ([name, all]) => [name, this.#samples.add(name, all)] as const),
    );
    return { of: (name: string) => medians.get(name) ?? Number.NaN };
  }

  async #both(
    name: string,
    measure: (target: Target) => Promise<readonly number[]>,
  ): Promise<Record<Subject, number>> {
    const medians = { profile: Number.NaN, baseline: Number.NaN };
    for (const subject of this.#order) {
      const times = await measure(targetOf(subject));
      medians[subject] = this.#samples.add(`${name}, ${subject}`, times);
    }
    return medians;
  }
}

/** What the platform's own parts cost, each by itself; and those of a fresh call in their order, as a page waits for them. */
const floorOf = ([tab]: readonly Page[]): Measurement[] => [
  async () => ({ ping: (await tab?.evaluate(() => window.bench.pings(100))) ?? [] }),
  async () => ({ lock: (await tab?.evaluate(() => window.bench.locks(50))) ?? [] }),
  async () => {
    const times = await tab?.evaluate(() => window.bench.transactions(30));
    return {
      "strict transaction": times?.strict ?? [],
      "relaxed transaction": times?.relaxed ?? [],
    };
  },
  async () => ({
    "parts of a fresh call in turn": (await tab?.evaluate(() => window.bench.inTurn(30))) ?? [],
  }),
];

const targetOf = (subject: Subject): Target => ({ subject, name: `bench-${subject}` });
