import type { Fault } from "./faults.js";
import type { Operations } from "./operations.js";
import type { FaultStep, Plan } from "./plan.js";
import type { Recorder } from "./recorder.js";
import { type Struck, strike } from "./strike.js";
import type { Tabs } from "./tabs.js";
import { pause } from "./within.js";

/** What a storm rages in. */
export interface StormOptions extends Omit<Struck, "aTab"> {
  readonly plan: Plan;
  readonly tabs: Tabs;
  readonly operations: Operations;
  readonly recorder: Recorder;
  /** Told of a fault that could not be made to happen. */
  readonly failed: (fault: Fault, error: unknown) => void;
}

/**
 * So many calls a tab are open at once. Without a limit, calls that come faster than a busy machine can answer them would pile up, and wait
 * for nothing but the machine.
 */
const OPEN_A_TAB = 2;

/** Calls and faults at once, as the plan says. */
export class Storm {
  readonly #options: StormOptions;
  readonly #struck: Struck;
  readonly #lasting = new Set<Promise<void>>();
  #over = false;

  constructor(options: StormOptions) {
    this.#options = options;
    const { weather, workers, tabs } = options;
    this.#struck = { weather, workers, aTab: (number) => tabs.free(number) };
  }

  /** Resolves when the time is over, and whatever was frozen, away or hanging goes on. */
  async rage(ms: number): Promise<void> {
    const loops = [this.#call(), this.#strike()];
    await pause(ms);
    this.#over = true;
    await Promise.all(loops);
    await Promise.all(this.#lasting);
  }

  async #call(): Promise<void> {
    const { plan, tabs, operations, recorder } = this.#options;
    while (!this.#over) {
      const { after, key, tabs: numbers } = plan.nextCall(tabs.count);
      await pause(after);
      if (recorder.open >= tabs.count * OPEN_A_TAB) continue;
      const operation = key === "new" ? operations.make() : operations.earlier(key.age);
      for (const tab of tabs.ready(numbers)) void tab.call(operation);
    }
  }

  async #strike(): Promise<void> {
    const { plan, tabs } = this.#options;
    while (!this.#over) {
      const step = plan.nextFault(tabs.count);
      await pause(step.after);
      await tabs.revive();
      const lasting = this.#happen(step);
      this.#lasting.add(lasting);
      void lasting.then(() => this.#lasting.delete(lasting));
    }
  }

  async #happen(step: FaultStep): Promise<void> {
    const { plan, recorder, failed } = this.#options;
    const { fault } = step;
    const from = recorder.now;
    try {
      await strike(step, this.#struck);
      recorder.faults.push({ fault, from, to: recorder.now });
    } catch (error) {
      plan.putBack(fault);
      failed(fault, error);
    }
  }
}
