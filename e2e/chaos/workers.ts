import type { BrowserContext } from "@playwright/test";
import { killWorker, wedgeWorker } from "signett/testing/playwright";
import { within } from "./within.js";

const LONGEST_MS = 10_000;

/** What is done to the profile's SharedWorkers. */
export class Workers {
  readonly #context: BrowserContext;
  #hanging = false;
  #inHand: Promise<unknown> = Promise.resolve();

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Ends those that run, also those that hang. @throws {Error} when there are none. */
  kill(): Promise<void> {
    return this.#inTurn("killing the worker", () => killWorker(this.#context));
  }

  /** Lets those that run hang while something lasts. @throws {Error} when there are none, or some hang already. */
  async hang(meanwhile: () => Promise<void>): Promise<void> {
    if (this.#hanging) throw new Error("a worker hangs already");
    this.#hanging = true;
    try {
      const letGo = await this.#inTurn("stopping the worker", () => this.#stop());
      await meanwhile();
      await this.#inTurn("letting the worker go on", letGo);
    } finally {
      this.#hanging = false;
    }
  }

  async #stop(): Promise<() => Promise<void>> {
    const began = performance.now();
    const letGo = await wedgeWorker(this.#context);
    // Nobody waits for it any more.
    if (performance.now() > began + LONGEST_MS) await letGo();
    return letGo;
  }

  /** One thing at a time: a worker that is about to stop can't be killed. */
  #inTurn<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
    const done = this.#inHand.then(() => within(LONGEST_MS, what, work()));
    this.#inHand = done.catch(() => {});
    return done;
  }
}
