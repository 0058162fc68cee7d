import type { Clock } from "../src/clock.js";
import type { Revision } from "./protocol.js";

/** How long changes are gathered before those who listen are told, in milliseconds. */
const GATHER_MS = 50;
/** How long an answer waits for a change, in milliseconds: other coordinators' claims are looked for as often. */
const PATIENCE_MS = 2_000;

/**
 * Tells listeners that operations have changed. What this coordinator does, and what others settle, it hears at once; that
 * others claimed a key it reads from the fence counter, and only while somebody listens.
 */
export class Changes {
  readonly #clock: Clock;
  readonly #lastFence: () => Promise<number>;
  readonly #listening = new Set<() => void>();
  /** No revision has 0: that is what somebody has seen who has seen nothing. */
  #count = 1;

  constructor({
    clock,
    lastFence,
  }: { readonly clock: Clock; readonly lastFence: () => Promise<number> }) {
    this.#clock = clock;
    this.#lastFence = lastFence;
  }

  /** Something has changed. */
  note(): void {
    this.#count += 1;
    for (const wake of this.#listening) wake();
  }

  /** Answers with the present state of things when it is not `seen` any more, or after a while. */
  async since(seen: Revision): Promise<Revision> {
    if (seen.count === this.#count) await this.#change();
    return { count: this.#count, fence: await this.#lastFence() };
  }

  /** Resolves some time after the next change, so that a burst of them is told once. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const told = () => {
        this.#listening.delete(wake);
        resolve();
      };
      const patience = this.#clock.after(PATIENCE_MS, told);
      const wake = () => {
        patience();
        this.#listening.delete(wake);
        this.#clock.after(GATHER_MS, told);
      };
      this.#listening.add(wake);
    });
  }
}
