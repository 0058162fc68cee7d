import type { Progress } from "../contracts.js";
import type { News } from "../series.js";
import {
  type ActivityInvocation,
  type Followed,
  follow,
  hasEnded,
  isOfCall,
  withProgress,
} from "./invocation.js";

/** What an activity shows. It is the same object until something changes. */
export interface ActivitySnapshot {
  /** The one that began last comes first. */
  readonly invocations: readonly ActivityInvocation[];
  /** The one that began last. */
  readonly latest: ActivityInvocation | undefined;
}

/** The latest calls, and all that was heard of them. */
export class Calls {
  readonly #max: number;
  readonly #toolName: string | undefined;
  readonly #changed: () => void;
  readonly #calls = new Map<string, Followed>();
  #snapshot: ActivitySnapshot | undefined;

  constructor(options: {
    readonly max: number;
    readonly toolName: string | undefined;
    readonly changed: () => void;
  }) {
    this.#max = options.max;
    this.#toolName = options.toolName;
    this.#changed = options.changed;
  }

  get snapshot(): ActivitySnapshot {
    this.#snapshot ??= snapshotOf([...this.#calls.values()]);
    return this.#snapshot;
  }

  /** Some call waits for another one, whose progress is of interest. */
  get wait(): boolean {
    return [...this.#calls.values()].some(({ shown }) => shown.phase === "waiting");
  }

  hear(news: News, tab?: string): void {
    const { event, key, progress } = news;
    if (!isOfCall(event)) return;
    if (key !== undefined && progress) this.advance(key, progress);
    if (this.#toolName !== undefined && event.name !== this.#toolName) return;
    const before = this.#calls.get(event.invocationId);
    const after = follow(before, news, tab);
    if (after === before) return;
    this.#set(after.shown.phase === "waiting" ? withProgress(after, this.#progressOf(key)) : after);
    this.#change();
  }

  /** The operation that calls may wait for is so far. */
  advance(key: string, progress: Progress): void {
    const waiting = [...this.#calls.values()].filter(
      ({ shown }) => shown.phase === "waiting" && shown.key === key,
    );
    for (const call of waiting) this.#set(withProgress(call, progress));
    if (waiting.length > 0) this.#change();
  }

  #progressOf(key: string | undefined): Progress | undefined {
    const others = [...this.#calls.values()].map(({ shown }) => shown);
    return others.find((other) => other.key === key && other.progress)?.progress;
  }

  #set(call: Followed): void {
    this.#calls.set(call.shown.invocationId, call);
    const tooMany = this.#calls.size - this.#max;
    if (tooMany <= 0) return;
    const all = [...this.#calls.values()].map(({ shown }) => shown);
    const leaving = [...all.filter(hasEnded), ...all].slice(0, tooMany);
    for (const { invocationId } of leaving) this.#calls.delete(invocationId);
  }

  #change(): void {
    this.#snapshot = undefined;
    this.#changed();
  }
}

function snapshotOf(calls: readonly Followed[]): ActivitySnapshot {
  const invocations = calls.map(({ shown }) => shown).reverse();
  // Other tabs' calls can be heard of late.
  invocations.sort((a, b) => b.startedAt - a.startedAt);
  return Object.freeze({ invocations: Object.freeze(invocations), latest: invocations[0] });
}
