import type { Clock } from "../src/clock.js";
import type { ActivityReport } from "../src/contracts.js";

/** How long the news of a call's end may take that was sent before the tab let go of its lock. */
const LATE_MS = 1_000;

/** What {@link lifeSigns} needs of its tab. */
interface Surroundings {
  readonly locks: LockManager;
  readonly lockName: (tab: string) => string;
  readonly clock: Clock;
  readonly tab: string;
  /** This tab's lock is held, so that others can wait for its end. */
  readonly given: () => void;
  /** The last report of each call that runs in another tab, as far as this one knows. */
  readonly running: () => readonly ActivityReport[];
  /** The call's tab is gone. */
  readonly left: (report: ActivityReport) => void;
}

/** A Web Lock that a tab holds while it has calls that other tabs show, and those of other tabs: when one is free, its tab is gone. */
export interface LifeSigns {
  /** Takes this tab's lock, unless it is held, and says so in either case. */
  give(): void;
  end(): void;
  /** Waits for the end of the other tab, which has given its sign. */
  watch(tab: string): void;
  /** Waits for nobody any more. */
  lookAway(): void;
}

export function lifeSigns(surroundings: Surroundings): LifeSigns {
  const { locks, lockName, clock, tab, given, running, left } = surroundings;
  let letGo: (() => void) | undefined;
  let held = false;
  let watched = new Set<string>();
  let watching = new AbortController();

  const end = () => {
    letGo?.();
    letGo = undefined;
    held = false;
  };
  /** The tab is gone, or has nothing more to show: then it has told of the end of each call. */
  const miss = (other: string) => {
    const calls = () => running().filter((report) => report.tab === other);
    const before = new Set(calls().map(({ event }) => event.invocationId));
    clock.after(LATE_MS, () => {
      for (const report of calls()) if (before.has(report.event.invocationId)) left(report);
    });
  };
  return {
    give() {
      if (held) given();
      if (letGo) return;
      let own = () => {};
      const wanted = new Promise<void>((resolve) => {
        own = resolve;
      });
      letGo = own;
      const take = () => {
        if (letGo === own) {
          held = true;
          given();
        }
        return wanted;
      };
      locks.request(lockName(tab), take).catch(() => {
        // Refused, or ended unasked: WebKit takes the locks of pages in its back/forward cache.
        if (letGo === own) end();
      });
    },
    end,
    watch(other) {
      if (watched.has(other)) return;
      const among = watched.add(other);
      const { signal } = watching;
      const free = () => {
        among.delete(other);
        if (!signal.aborted) miss(other);
      };
      // Shared: others who wait for the same end are not held up.
      locks.request(lockName(other), { mode: "shared", signal }, free).catch(() => {});
    },
    lookAway() {
      watching.abort();
      watching = new AbortController();
      watched = new Set();
    },
  };
}
