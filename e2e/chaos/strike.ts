import type { FaultStep } from "./plan.js";
import type { Tab } from "./tab.js";
import type { Weather } from "./weather.js";
import { pause } from "./within.js";
import type { Workers } from "./workers.js";

/** What faults strike. */
export interface Struck {
  readonly weather: Weather;
  readonly workers: Workers;
  /** The tab with this number, or the next that can suffer something. */
  readonly aTab: (number: number) => Promise<Tab>;
}

/**
 * Makes a fault happen. Resolves when it is over.
 * @throws what kept it from happening.
 */
export async function strike(
  { fault, tab, lasts }: FaultStep,
  { weather, workers, aTab }: Struck,
): Promise<void> {
  const meanwhile = () => pause(lasts);
  switch (fault) {
    case "tab is closed":
      return (await aTab(tab)).close();
    case "tab crashes":
      return (await aTab(tab)).crash();
    case "tab is reloaded":
      return (await aTab(tab)).reload();
    case "tab goes away and comes back":
      return (await aTab(tab)).goAndComeBack(meanwhile);
    case "tab is frozen":
      return (await aTab(tab)).freeze(meanwhile);
    case "worker is killed":
      return workers.kill();
    case "worker hangs":
      return workers.hang(meanwhile);
    case "server delays its answers":
      return weather.delayAnswers(Math.ceil(lasts / 2), meanwhile);
    case "server loses its answers":
      return weather.loseAnswers(meanwhile);
    case "server answers with errors":
      return weather.failAnswers(meanwhile);
    case "receipts can't be read":
      return weather.hideReceipts(meanwhile);
    default:
      return fault satisfies never;
  }
}
