/** One end of a line between a tab and a worker, in memory. Messages keep their order and take a task, or more. */
export class TestPort extends EventTarget implements MessagePort {
  readonly onmessage = null;
  readonly onmessageerror = null;
  /** Whoever has this end runs scripts again. */
  awake = async (): Promise<void> => {};
  /** How many tasks the next message takes. */
  readonly #delay: () => number;
  #peer: TestPort | undefined;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(delay: () => number) {
    super();
    this.#delay = delay;
  }

  /** The other end, while there is one. */
  get peer(): TestPort | undefined {
    return this.#peer;
  }

  /** Joins two ends. A script that is run again in a worker gets new ends for the tabs' old ones. */
  static link(a: TestPort, b: TestPort): void {
    a.#peer = b;
    b.#peer = a;
  }

  /** Whoever had this end is gone: what is on its way arrives nowhere, and nobody is told. */
  sever(): void {
    if (this.#peer) this.#peer.#peer = undefined;
    this.#peer = undefined;
  }

  postMessage(message: unknown): void {
    const to = this.#peer;
    if (!to || this.#closed) return;
    const event = new MessageEvent("message", { data: structuredClone(message) });
    this.#last = this.#last.then(async () => {
      await tasks(this.#delay());
      await this.awake();
      await to.awake();
      if (this.#peer === to && !to.#closed) to.dispatchEvent(event);
    });
  }

  start(): void {}

  /** Hears nothing any more. What was said before arrives. */
  close(): void {
    this.#closed = true;
    this.#last.then(() => this.sever());
  }
}

/** Lets other tasks run, this many times. */
export async function tasks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
