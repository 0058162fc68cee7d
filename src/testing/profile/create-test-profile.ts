import { VirtualBrowser } from "./browser.js";
import { Pump } from "./pump.js";
import { TestTab } from "./tab.js";
import { type TestClock, VirtualClock } from "./test-clock.js";
import { VirtualWorkers } from "./worker.js";

/** Options of {@link createTestProfile}. */
export interface TestProfileOptions {
  /** How many tabs are open at first. Default 2. */
  readonly tabs?: number;
  /**
   * In which order everything happens that could happen in another order: messages, lock grants, transactions. The same
   * seed gives the same order; a test that holds with many seeds holds in many orders. Default 1.
   */
  readonly seed?: number;
  /**
   * How many builds of the application are open, each with a worker of its own: tab `i` has build `i % builds`. As after a
   * deploy, when old tabs and new ones coordinate through the profile's storage and locks alone. Default 1.
   */
  readonly builds?: number;
}

/** A browser profile with several tabs in one process; see {@link createTestProfile}. */
export interface TestProfile {
  /** How many tabs there are. */
  readonly tabs: number;
  /** The tab with this number, from 0. @throws {RangeError} if there is none. */
  tab(index: number): TestTab;
  /** The coordination worker: one, or one a build. */
  readonly worker: {
    /** It ends without a word, with all its memory. Tabs with open calls start another one. */
    kill(): void;
  };
  /** The profile's database. */
  readonly storage: {
    /**
     * The next transaction that writes fails with this error, and nothing of it is stored. One that several requests share
     * is tried again for each of them, as in production.
     */
    failNext(error: unknown): void;
  };
  /** The time of all tabs. It stands still until it is told to pass. */
  readonly clock: TestClock;
  /**
   * Resolves when all that can happen by itself has happened: what is left waits for a handler, for time to pass, or for
   * the test.
   */
  quiescent(): Promise<void>;
}

/**
 * Creates a browser profile in memory with the code of production in it: the client of each tab, the worker and its
 * coordinator, the storage's decisions. What is not real is the browser below: ports, Web Locks, the database and time. Calls go
 * on by themselves, in an order that the seed decides.
 *
 * @throws {TypeError} for options that are no whole numbers from 1.
 */
export function createTestProfile({
  tabs = 2,
  seed = 1,
  builds = 1,
}: TestProfileOptions = {}): TestProfile {
  checkCounts({ tabs, builds });
  const browser = new VirtualBrowser(seed);
  const { schedule, time, database } = browser;
  const pump = new Pump(schedule);
  const workers = new VirtualWorkers(browser);
  const all = Array.from(
    { length: tabs },
    (_, index) => new TestTab({ browser, workers, pump, index, script: `build ${index % builds}` }),
  );
  const failures: unknown[] = [];
  database.fault = (moment) => (moment === "commit" ? failures.shift() : undefined);
  return {
    tabs,
    tab(index) {
      const tab = all[index];
      if (!tab) throw new RangeError(`There is no tab ${index}: the last one is ${tabs - 1}.`);
      return tab;
    },
    worker: { kill: () => workers.kill() },
    storage: { failNext: (error) => void failures.push(error) },
    clock: new VirtualClock(browser.start("test").clock, time, pump),
    quiescent: () => pump.quiescent(),
  };
}

function checkCounts(counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (Number.isSafeInteger(count) && count > 0) continue;
    throw new TypeError(`createTestProfile: \`${name}\` must be a whole number from 1.`);
  }
}
