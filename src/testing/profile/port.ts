import type { Lane, Process } from "./schedule.js";

/** One end of a line between a page and a worker. Messages are copied, keep their order, and arrive when they are drawn. */
export class VirtualPort extends EventTarget implements MessagePort {
  readonly onmessage = null;
  readonly onmessageerror = null;
  /** What is on its way to this end. */
  readonly #lane: Lane;
  #peer: VirtualPort | undefined;
  #closed = false;

  constructor(lane: Lane) {
    super();
    this.#lane = lane;
  }

  /** What is sent from here can still arrive: neither end is closed, and both processes live. */
  get open(): boolean {
    const ends = [this, this.#peer];
    return ends.every((end) => end && !end.#closed && end.process.state !== "dead");
  }

  /** Whose end it is. */
  get process(): Process {
    return this.#lane.process;
  }

  /** Joins two ends. A script that is run again in a worker gets new ends for the pages' old ones. */
  static join(a: VirtualPort, b: VirtualPort): void {
    a.#peer = b;
    b.#peer = a;
  }

  postMessage(message: unknown): void {
    const to = this.#peer;
    if (!to || this.#closed) return;
    const data: unknown = structuredClone(message);
    this.#lane.process.act(() =>
      to.#lane.push(() => {
        if (!to.#closed) to.dispatchEvent(new MessageEvent("message", { data }));
      }, data),
    );
  }

  start(): void {}

  close(): void {
    this.#closed = true;
  }
}
