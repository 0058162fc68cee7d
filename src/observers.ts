import { type Clock, systemClock } from "./clock.js";
import type { ProfileActivity } from "./contracts.js";
import type { LifecycleEvent, Observer } from "./events.js";
import { type Audience, type Feed, type News, Series } from "./series.js";
import { shared } from "./shared.js";

/** Everybody who is told of the calls of one Signett interface. */
export class Observers implements Feed {
  readonly activity: ProfileActivity | undefined;
  readonly #observers = new Set<Observer>();
  readonly #watchers = new Set<(news: News) => void>();
  readonly #running = new Set<Series>();
  readonly #clock: Clock;
  readonly #audience: Audience;

  constructor(clock: Clock = systemClock, activity?: ProfileActivity) {
    this.#clock = clock;
    this.activity = activity;
    const [observers, watchers, running] = [this.#observers, this.#watchers, this.#running];
    this.#audience = {
      get present() {
        const many = observers.size + watchers.size + shared().observers.size;
        return many > 0 || activity !== undefined;
      },
      tell(event) {
        for (const observer of observers) notify(observer, event);
        for (const observer of shared().observers) notify(observer, event);
      },
      report(news) {
        for (const watcher of watchers) watcher(news);
        try {
          activity?.publish({ tab: activity.tab, ...news });
        } catch {
          // What is shown of a call must not end it.
        }
      },
      running(series, runs) {
        if (runs) running.add(series);
        else running.delete(series);
      },
    };
  }

  /** Adds an observer and returns what removes it. */
  add(observer: Observer): () => void {
    // A wrapper of its own, so that one function added twice is two subscriptions.
    const own: Observer = (event) => observer(event);
    this.#observers.add(own);
    return () => void this.#observers.delete(own);
  }

  watch(watcher: (news: News) => void): () => void {
    this.#watchers.add(watcher);
    for (const series of this.#running) watcher(series.now());
    return () => void this.#watchers.delete(watcher);
  }

  /** Begins a series of events about one invocation or registration of the tool `name`. */
  series(name: string): Series {
    return new Series(name, this.#clock, this.#audience);
  }
}

/** An observer's failure, thrown or rejected, is its own. */
function notify(observer: Observer, event: LifecycleEvent): void {
  try {
    const result = observer(event);
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}
