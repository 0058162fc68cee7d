/** The broadcast channels of one browser profile, in memory. */
export class TestChannels {
  /** While this is set, messages are lost. */
  dropping = false;
  /** What was posted so far, lost messages included. */
  readonly posted: unknown[] = [];
  readonly #open = new Set<TestChannel>();

  /** How many are open. */
  get count(): number {
    return this.#open.size;
  }

  /** A channel that hears what all others post. */
  open(): BroadcastChannel {
    const channel = new TestChannel(
      (message) => this.#post(channel, message),
      () => void this.#open.delete(channel),
    );
    this.#open.add(channel);
    return channel;
  }

  #post(from: TestChannel, message: unknown): void {
    const data: unknown = structuredClone(message);
    this.posted.push(data);
    if (this.dropping) return;
    for (const channel of this.#open) {
      if (channel === from) continue;
      setImmediate(() => channel.dispatchEvent(new MessageEvent("message", { data })));
    }
  }
}

class TestChannel extends EventTarget implements BroadcastChannel {
  readonly name = "test";
  readonly onmessage = null;
  readonly onmessageerror = null;
  readonly postMessage: (message: unknown) => void;
  readonly close: () => void;

  constructor(post: (message: unknown) => void, close: () => void) {
    super();
    this.postMessage = post;
    this.close = close;
  }
}
