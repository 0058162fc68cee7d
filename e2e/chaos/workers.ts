import type { BrowserContext } from "@playwright/test";
import { killWorker, wedgeWorker } from "signett/testing/playwright";
import { within } from "./within.js";

const LONGEST_MS = 10_000;

/** What is done to the profile's SharedWorkers. */
export class Workers {
  readonly #context: BrowserContext;
  #hanging = false;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Ends those that run, also those that hang. @throws {Error} when there are none. */
  async kill(): Promise<void> {
    await within(LONGEST_MS, "killing the worker", killWorker(this.#context));
  }

  /** Lets those that run hang while something lasts. @throws {Error} when there are none, or some hang already. */
  async hang(meanwhile: () => Promise<void>): Promise<void> {
    if (this.#hanging) throw new Error("a worker hangs already");
    this.#hanging = true;
    try {
      const letGo = await within(LONGEST_MS, "stopping the worker", wedgeWorker(this.#context));
      await meanwhile();
      await within(LONGEST_MS, "letting the worker go on", letGo());
    } finally {
      this.#hanging = false;
    }
  }
}
