import type { ProfileActivity } from "../contracts.js";
import { insideOf } from "../exposed.js";
import type { Feed } from "../series.js";
import type { Signett } from "../signett.js";
import { type ActivitySnapshot, Calls } from "./calls.js";

/** Options of {@link createSignettActivity}. */
export interface ActivityOptions {
  /** Only calls of this tool. Default: of every tool. */
  readonly toolName?: string | undefined;
  /** How many calls are kept, 1 to 10,000. The oldest of those that have ended goes first. Default 20. */
  readonly maxInvocations?: number | undefined;
  /**
   * `"tab"`: the calls of this interface. `"profile"`: those of every interface with the same profile, in every tab. Default
   * `"tab"`.
   */
  readonly scope?: "tab" | "profile" | undefined;
}

/** The calls of an interface or of a profile, as an external store for any framework. */
export interface SignettActivity {
  readonly getSnapshot: () => ActivitySnapshot;
  /** Calls back after each change. What it returns ends that. */
  readonly subscribe: (changed: () => void) => () => void;
  /** Looks no more; the last snapshot stays. */
  readonly dispose: () => void;
}

const MAX = 10_000;

/**
 * Follows calls, those that run already included, until it is disposed. It shows stages, times and progress; never inputs,
 * outputs or messages.
 *
 * @throws {TypeError} for what is no interface, for options out of bounds, and for `scope: "profile"` of an interface without a profile.
 */
export function createSignettActivity<Context>(
  signett: Signett<Context>,
  { toolName, maxInvocations: max = 20, scope = "tab" }: ActivityOptions = {},
): SignettActivity {
  const { feed } = insideOf(signett);
  if (!Number.isInteger(max) || max < 1 || max > MAX) {
    throw refusal(`\`maxInvocations\` must be a whole number from 1 to ${MAX}`);
  }
  const subscribers = new Set<() => void>();
  const changed = () => {
    for (const subscriber of subscribers) notify(subscriber);
  };
  const calls = new Calls({ max, toolName, changed });
  const stop = scope === "tab" ? watchTab(feed, calls) : watchProfile(feed.activity, calls);
  return {
    getSnapshot: () => calls.snapshot,
    subscribe(subscriber) {
      // A wrapper of its own, so that one function added twice is two subscriptions.
      const own = () => subscriber();
      subscribers.add(own);
      return () => void subscribers.delete(own);
    },
    dispose() {
      stop();
      subscribers.clear();
    },
  };
}

/** Follows one interface. What a call waits for can run in another tab, so that is looked at as long as one waits. */
function watchTab(feed: Feed, calls: Calls): () => void {
  let lookAway: (() => void) | undefined;
  const stop = feed.watch((news) => {
    calls.hear(news);
    if (!calls.wait) {
      lookAway?.();
      lookAway = undefined;
    } else {
      lookAway ??= feed.activity?.subscribe(({ key, progress }) => {
        if (key !== undefined && progress) calls.advance(key, progress);
      });
    }
  });
  return () => {
    stop();
    lookAway?.();
  };
}

function watchProfile(activity: ProfileActivity | undefined, calls: Calls): () => void {
  if (!activity) throw refusal('`scope: "profile"` needs an interface with a `profile`');
  return activity.subscribe((report) => calls.hear(report, report.tab));
}

const refusal = (fault: string) => new TypeError(`createSignettActivity: ${fault}.`);

/** A subscriber's failure is its own: it must not end the call that is shown. */
function notify(subscriber: () => void): void {
  try {
    subscriber();
  } catch {}
}
