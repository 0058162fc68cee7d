import type { Clock } from "../src/clock.js";

/** What coordinators tell each other. Each piece of news is a hint: whoever misses it finds out by itself, later. */
export interface News {
  /** Keys that were settled: who waits for them looks again. */
  readonly settled?: readonly string[];
  /** Owners whose pages went into the back/forward cache. */
  readonly frozen?: readonly string[];
  /** Somebody wants to purge, and waits for everybody's memory. */
  readonly purge?: boolean;
}

/** The channel that a profile's coordinators share. */
export class PartyLine {
  readonly #channel: BroadcastChannel;
  readonly #clock: Clock;
  readonly #settled = new Set<string>();
  #cancel = () => {};
  #closed = false;

  constructor({
    channel,
    clock,
    hear,
  }: {
    readonly channel: BroadcastChannel;
    readonly clock: Clock;
    /** Called with what the others tell. */
    readonly hear: (news: News) => void;
  }) {
    this.#channel = channel;
    this.#clock = clock;
    channel.addEventListener("message", ({ data }) => hear(understood(data)));
  }

  /** Says it now. After {@link close} nothing is said: a channel that is closed throws. */
  tell(news: News): void {
    if (!this.#closed) this.#channel.postMessage(news);
  }

  /** The key was settled. What is settled together is told together, after its own callers have their answers. */
  settled(key: string): void {
    if (this.#settled.size === 0) this.#cancel = this.#clock.after(0, () => this.#flush());
    this.#settled.add(key);
  }

  /** Tells what is left to tell. The channel may be closed then. */
  close(): void {
    this.#cancel();
    this.#flush();
    this.#closed = true;
  }

  #flush(): void {
    if (this.#settled.size > 0) this.tell({ settled: [...this.#settled] });
    this.#settled.clear();
  }
}

/** What another build says, and this one does not know, is passed over. */
function understood(data: unknown): News {
  const { settled, frozen, purge } = Object(data) as { readonly [Name in keyof News]: unknown };
  return {
    ...(isTexts(settled) && { settled }),
    ...(isTexts(frozen) && { frozen }),
    ...(purge === true && { purge }),
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");
