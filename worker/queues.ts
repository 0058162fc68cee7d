import type { Clock } from "../src/clock.js";
import { Queue } from "./queue.js";

/** How often a record is read again while somebody waits for its key: the channel is only a hint. */
const LOOK_AGAIN_MS = 2_000;

/** The queues of all keys that somebody waits for. While there is one, each is looked at again and again. */
export class Queues {
  readonly #clock: Clock;
  readonly #look: (key: string) => void;
  readonly #queues = new Map<string, Queue>();
  /** Cancels the next regular look. */
  #nextLook: (() => void) | undefined;

  constructor({ clock, look }: { readonly clock: Clock; readonly look: (key: string) => void }) {
    this.#clock = clock;
    this.#look = look;
  }

  find(key: string): Queue | undefined {
    return this.#queues.get(key);
  }

  open(key: string): Queue {
    const queue = this.#queues.get(key) ?? new Queue(key);
    this.#queues.set(key, queue);
    this.#nextLook ??= this.#clock.after(LOOK_AGAIN_MS, () => this.#lookAtAll());
    return queue;
  }

  closeIfEmpty(queue: Queue): void {
    if (queue.busy || queue.waiters.length > 0) return;
    this.#queues.delete(queue.key);
    if (this.#queues.size === 0) this.stop();
  }

  /** Looks no more. */
  stop(): void {
    this.#nextLook?.();
    this.#nextLook = undefined;
  }

  #lookAtAll(): void {
    this.#nextLook = this.#clock.after(LOOK_AGAIN_MS, () => this.#lookAtAll());
    for (const key of this.#queues.keys()) this.#look(key);
  }
}
