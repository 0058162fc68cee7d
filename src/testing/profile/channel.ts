import type { Lane, Process, Schedule } from "./schedule.js";

/** The broadcast channels of one browser profile. */
export class VirtualChannels {
  readonly #schedule: Schedule;
  readonly #open = new Set<VirtualChannel>();
  /** While this is set, messages are lost. */
  dropping = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** A channel that hears what all others of its name post. */
  open(process: Process, name: string): BroadcastChannel {
    const lane = this.#schedule.lane(process, `channel of ${process.name}`);
    const channel = new VirtualChannel(name, lane, {
      post: (message) => process.act(() => this.#post(channel, message)),
      close: () => void this.#open.delete(channel),
    });
    this.#open.add(channel);
    return channel;
  }

  #post(from: VirtualChannel, message: unknown): void {
    if (this.dropping) return;
    for (const channel of this.#open) {
      if (channel !== from && channel.name === from.name) channel.hear(structuredClone(message));
    }
  }
}

class VirtualChannel extends EventTarget implements BroadcastChannel {
  readonly onmessage = null;
  readonly onmessageerror = null;
  readonly name: string;
  readonly postMessage: (message: unknown) => void;
  readonly close: () => void;
  readonly #lane: Lane;

  constructor(
    name: string,
    lane: Lane,
    { post, close }: { readonly post: (message: unknown) => void; readonly close: () => void },
  ) {
    super();
    this.name = name;
    this.#lane = lane;
    this.postMessage = post;
    this.close = close;
  }

  /** A message of somebody else is on its way. */
  hear(data: unknown): void {
    this.#lane.push(() => this.dispatchEvent(new MessageEvent("message", { data })), data);
  }
}
