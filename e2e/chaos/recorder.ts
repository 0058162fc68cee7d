import type { CallEnd, MadeCall, Stillness } from "./chronicle.js";
import type { Occurrence } from "./faults.js";

/** A key as the agents call it. */
export interface Operation {
  /** The idempotency key that the demo's tool makes of the input. */
  readonly key: string;
  readonly input: { readonly orderId: string; readonly operationId: string };
}

/** Writes down which calls were made, and what went wrong when. */
export class Recorder {
  readonly #began = performance.now();
  readonly #open = new Set<Omit<MadeCall, "to" | "end">>();
  readonly #ended: MadeCall[] = [];
  readonly stillnesses: Stillness[] = [];
  readonly faults: Occurrence[] = [];
  /** How many documents came back from the back/forward cache. */
  restored = 0;
  /** From now on calls are made to see what became of their keys. */
  afterwards = false;

  /** Milliseconds since the run began. */
  get now(): number {
    return performance.now() - this.#began;
  }

  /** How many calls were made. */
  get count(): number {
    return this.#open.size + this.#ended.length;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Calls that still go on have no end yet. */
  get calls(): MadeCall[] {
    const to = this.now;
    const open = Array.from(this.#open, (call) => ({
      ...call,
      to,
      end: { status: "open" } as const,
    }));
    return [...this.#ended, ...open];
  }

  async call(operation: Operation, document: number, made: Promise<CallEnd>): Promise<void> {
    const { key, input } = operation;
    const { orderId } = input;
    const call = { key, orderId, document, from: this.now, last: this.afterwards };
    this.#open.add(call);
    const end = await made;
    this.#open.delete(call);
    this.#ended.push({ ...call, to: this.now, end });
  }
}
