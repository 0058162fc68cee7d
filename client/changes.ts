import type { Clock } from "../src/clock.js";
import type { Revision } from "../worker/protocol.js";
import type { Link } from "./link.js";

/** How long a tab that could not ask for changes waits before it asks again, in milliseconds. */
const PAUSE_MS = 1_000;

const NOTHING: Revision = { count: 0, fence: 0 };

/** What {@link Changes} needs of its tab. */
export interface ChangesSurroundings {
  readonly link: Link;
  readonly clock: Clock;
  /** Where `pageshow` and `pagehide` are heard. */
  readonly events: EventTarget | undefined;
  /** The profile is closed. */
  readonly signal: AbortSignal;
}

/**
 * Tells this tab's listeners that operations of the profile have changed. It asks the worker, which answers when there is
 * news: the worker never calls a tab. Without listeners, and while the page is in the back/forward cache, it asks nothing.
 */
export class Changes {
  readonly #surroundings: ChangesSurroundings;
  readonly #listeners = new Set<() => void>();
  #cached = false;
  /** The loop that asks; another one is started only when it has ended. */
  #asking = false;

  constructor(surroundings: ChangesSurroundings) {
    this.#surroundings = surroundings;
    const { events, signal } = surroundings;
    const hear = (type: string, heard: () => void) =>
      events?.addEventListener(
        type,
        (event) => (event as PageTransitionEvent).persisted && heard(),
        { signal },
      );
    hear("pagehide", () => {
      this.#cached = true;
    });
    hear("pageshow", () => {
      this.#cached = false;
      void this.#ask();
    });
  }

  subscribe(listener: () => void): () => void {
    // Its own object: the same function may listen twice.
    const own = () => listener();
    this.#listeners.add(own);
    if (this.#asking) this.#tell(own);
    void this.#ask();
    return () => void this.#listeners.delete(own);
  }

  get #wanted(): boolean {
    return this.#listeners.size > 0 && !this.#cached && !this.#surroundings.signal.aborted;
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let seen = NOTHING;
    while (this.#wanted) {
      const now = await this.#next(seen);
      if (now && !same(seen, now)) for (const listener of this.#listeners) this.#tell(listener);
      // Whatever was seen before a failure may be out of date.
      seen = now ?? NOTHING;
    }
    this.#asking = false;
  }

  async #next(seen: Revision): Promise<Revision | undefined> {
    const { link, clock } = this.#surroundings;
    try {
      return await link.send<Revision>((remote) => remote.changes(seen));
    } catch {
      await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve));
      return undefined;
    }
  }

  /** In a task of its own, so that what it throws is nobody else's. */
  #tell(listener: () => void): void {
    this.#surroundings.clock.after(0, () => {
      if (this.#listeners.has(listener)) listener();
    });
  }
}

const same = (a: Revision, b: Revision): boolean => a.count === b.count && a.fence === b.fence;
