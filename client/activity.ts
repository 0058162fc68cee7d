import type { Clock } from "../src/clock.js";
import type { ActivityReport, ProfileActivity } from "../src/contracts.js";
import type { LifeSigns } from "./life-signs.js";
import { OpenCalls } from "./open-calls.js";

/** What tabs say on the channel. Other builds of the library listen too: what they don't know, they pass over. */
type Message =
  /** This tab wants to know who watches. */
  | { readonly type: "who_watches" }
  | { readonly type: "watching"; readonly tab: string }
  | { readonly type: "watching_no_more"; readonly tab: string }
  /** The tab has calls, and holds the lock whose end is its own. */
  | { readonly type: "alive"; readonly tab: string }
  /** `to`: only that tab has not heard them yet. */
  | {
      readonly type: "reports";
      readonly to?: string;
      readonly reports: readonly ActivityReport[];
    };

/** How long a tab that watches may take to answer who watches. */
const ANSWER_MS = 1_000;

/** What {@link TabActivity} needs of its tab. */
export interface ActivitySurroundings {
  readonly tab: string;
  readonly clock: Clock;
  readonly channel: (() => BroadcastChannel) | undefined;
  readonly events: EventTarget | undefined;
  /** Without them a tab that crashed is not noticed. */
  readonly locks: LockManager | undefined;
  /** The lock that says that the tab is alive. */
  readonly lockName: (tab: string) => string;
  /** The profile is closed. */
  readonly signal: AbortSignal;
}

/**
 * One tab's part in what the tabs tell each other of their calls. A tab speaks only while another one watches: it asks who
 * does when its first call begins, and hears of those who come later. The channel is closed while the page is in the
 * back/forward cache, because a message would evict it. A tab that crashes says nothing: its lock ends, and with it its calls.
 */
export class TabActivity implements ProfileActivity {
  readonly tab: string;
  readonly #surroundings: ActivitySurroundings;
  readonly #calls = new OpenCalls();
  /** The other tabs' calls, as long as this tab watches. */
  #others = new OpenCalls();
  readonly #own = new Set<(report: ActivityReport) => void>();
  /** The other tabs that watch. One that crashed stays here, and costs a message that nobody hears. */
  readonly #watching = new Set<string>();
  #signs: Promise<LifeSigns | undefined> | undefined;
  #channel: BroadcastChannel | undefined;

  constructor(surroundings: ActivitySurroundings) {
    const { tab, events, signal } = surroundings;
    this.tab = tab;
    this.#surroundings = surroundings;
    events?.addEventListener(
      "pagehide",
      (event) => {
        if (!(event as PageTransitionEvent).persisted) this.#interrupt();
        this.#close();
      },
      { signal },
    );
    const back = () => {
      if (this.#own.size > 0 || this.#calls.latest().length > 0) this.#open();
    };
    events?.addEventListener("pageshow", back, { signal });
    signal.addEventListener("abort", () => {
      this.#close();
      this.#signs?.then((signs) => signs?.end());
    });
  }

  publish(report: ActivityReport): void {
    this.#calls.add(report);
    for (const watcher of this.#own) tell(watcher, report);
    this.#open();
    if (this.#watching.size > 0) this.#post({ type: "reports", reports: [report] });
    this.#giveSign();
  }

  subscribe(watcher: (report: ActivityReport) => void): () => void {
    // A wrapper of its own, so that one function added twice is two subscriptions.
    const own = (report: ActivityReport) => watcher(report);
    const first = this.#own.size === 0;
    this.#own.add(own);
    for (const calls of [this.#calls, this.#others]) {
      for (const report of calls.running()) tell(own, report);
    }
    if (first && this.#channel) this.#post({ type: "watching", tab: this.tab });
    this.#open();
    return () => {
      if (!this.#own.delete(own) || this.#own.size > 0) return;
      this.#forgetOthers();
      this.#post({ type: "watching_no_more", tab: this.tab });
    };
  }

  #open(): void {
    const { channel, clock, signal } = this.#surroundings;
    if (!channel || this.#channel || signal.aborted) return;
    this.#channel = channel();
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data));
    this.#calls.keepEnded = true;
    clock.after(ANSWER_MS, () => {
      this.#calls.keepEnded = false;
    });
    this.#post({ type: "who_watches" });
    if (this.#own.size > 0) this.#post({ type: "watching", tab: this.tab });
  }

  #close(): void {
    if (this.#own.size > 0) this.#post({ type: "watching_no_more", tab: this.tab });
    this.#channel?.close();
    this.#channel = undefined;
    this.#forgetOthers();
    this.#watching.clear();
  }

  #forgetOthers(): void {
    this.#others = new OpenCalls();
    this.#signs?.then((signs) => signs?.lookAway());
  }

  /** Holds the lock while there is a call that another tab shows. A page in the back/forward cache keeps what it holds. */
  #giveSign(): void {
    const shown = () => this.#watching.size > 0 && this.#calls.latest().length > 0;
    const loading = shown() ? this.#load() : this.#signs;
    loading?.then((signs) => (shown() ? signs?.give() : signs?.end()));
  }

  /** Loaded where somebody watches only: most pages do without. */
  #load(): Promise<LifeSigns | undefined> | undefined {
    const { tab, clock, locks } = this.#surroundings;
    if (!locks) return undefined;
    // A page of an earlier deployment may not find it any more.
    this.#signs ??= import("./life-signs.js").then(
      ({ lifeSigns }) =>
        lifeSigns({
          ...{ ...this.#surroundings, locks },
          given: () => this.#post({ type: "alive", tab }),
          running: () => this.#others.latest(),
          left: (report) => this.#learn(interrupted(report, clock.now())),
        }),
      () => undefined,
    );
    return this.#signs;
  }

  /** The page goes for good. What becomes of its calls, nobody who watches will learn. */
  #interrupt(): void {
    if (this.#watching.size === 0) return;
    const timestamp = this.#surroundings.clock.now();
    const reports = this.#calls.latest().map((report) => interrupted(report, timestamp));
    if (reports.length > 0) this.#post({ type: "reports", reports });
  }

  #hear(message: Message | null): void {
    if (message === null) return;
    switch (message.type) {
      case "who_watches":
        if (this.#own.size > 0) this.#post({ type: "watching", tab: this.tab });
        return;
      case "watching":
        if (this.#watching.has(message.tab)) return;
        this.#watching.add(message.tab);
        this.#post({ type: "reports", to: message.tab, reports: this.#calls.all() });
        this.#giveSign();
        return;
      case "watching_no_more":
        this.#watching.delete(message.tab);
        this.#giveSign();
        return;
      case "alive":
        if (this.#own.size > 0) this.#load()?.then((signs) => signs?.watch(message.tab));
        return;
      case "reports":
        if (message.to !== undefined && message.to !== this.tab) return;
        for (const report of message.reports) this.#learn(report);
        return;
      default:
        message satisfies never;
    }
  }

  #learn(report: ActivityReport): void {
    // The last one has just looked away.
    if (this.#own.size === 0) return;
    this.#others.add(report);
    for (const own of this.#own) tell(own, report);
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }
}

/** The call's last report: its tab is gone. */
function interrupted({ tab, event, key }: ActivityReport, timestamp: number): ActivityReport {
  const startedAt = event.timestamp - event.durationMs;
  const durationMs = Math.max(0, timestamp - startedAt);
  return { tab, key, event: { ...event, stage: "outcome_unknown", timestamp, durationMs } };
}

/** A watcher's failure is its own. */
function tell(watcher: (report: ActivityReport) => void, report: ActivityReport): void {
  try {
    watcher(report);
  } catch {}
}
