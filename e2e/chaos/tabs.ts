import type { BrowserContext } from "@playwright/test";
import type { OperationInfo } from "signett";
import type { Recorder } from "./recorder.js";
import { Tab } from "./tab.js";
import { pause } from "./within.js";

/** So many tabs can be called, if there are so many, while others are frozen or away. */
const READY_AT_LEAST = 2;
const LOOK_AGAIN_MS = 50;

/** The tabs of a run. */
export class Tabs {
  readonly #tabs: readonly Tab[];

  private constructor(tabs: readonly Tab[]) {
    this.#tabs = tabs;
  }

  static async open(context: BrowserContext, count: number, recorder: Recorder): Promise<Tabs> {
    await context.addInitScript(hide);
    const tabs: Tab[] = [];
    while (tabs.length < count) tabs.push(await Tab.open(context, recorder));
    return new Tabs(tabs);
  }

  get count(): number {
    return this.#tabs.length;
  }

  /** Those that can be called, by their numbers or instead of them. */
  ready(numbers: readonly number[]): Set<Tab> {
    const ready = this.#tabs.filter((tab) => tab.ready);
    return new Set(numbers.flatMap((number) => ready[number % ready.length] ?? []));
  }

  /** One that something can be done to without keeping all of them from being called. */
  async free(number: number): Promise<Tab> {
    const others = Math.min(READY_AT_LEAST, this.count - 1);
    for (;;) {
      const [tab] = this.ready([number]);
      if (tab && this.#tabs.filter(({ ready }) => ready).length > others) return tab;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** The state of each key that the profile has stored. */
  async stored(): Promise<Map<string, OperationInfo["state"]>> {
    const [tab] = this.ready([0]);
    if (!tab) throw new Error("No tab is left.");
    const listed = await tab.operations();
    return new Map(listed.map(({ key, state }) => [key, state]));
  }

  /** Opens those again that died without being asked to: a crash takes all tabs of its process. */
  async revive(): Promise<void> {
    await Promise.all(this.#tabs.map((tab) => tab.revive()));
  }
}

/** Runs in each page. Tabs in the background are hidden, which Playwright's are not: the demo then does not draw what nobody sees. */
function hide(): void {
  Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
}
