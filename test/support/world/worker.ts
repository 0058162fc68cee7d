import { systemClock } from "../../../src/clock.js";
import type { TestLockClient } from "../../../src/testing/locks.js";
import { Host } from "../../../worker/host.js";
import type { TestPort } from "./port.js";
import type { TestStorage } from "./storage.js";

/** What a run of the coordinator needs from the browser. */
interface Surroundings {
  readonly instance?: string;
  /** Takes the lock that marks it alive. */
  readonly prepare: (lock: string) => Promise<void>;
  readonly locks: TestLockClient;
  readonly channel: BroadcastChannel;
  readonly storage: TestStorage;
}

/** One run of the coordinator's code, in a worker or in a page: the real host, attached to ports in memory. */
export class TestWorker {
  readonly #ports: TestPort[] = [];
  readonly #surroundings: Surroundings;
  readonly #host: Host;
  #alive = true;
  #wake: (() => void) | undefined;
  #awake: Promise<void> = Promise.resolve();

  constructor(surroundings: Surroundings) {
    const { instance = crypto.randomUUID(), locks, channel, storage, prepare } = surroundings;
    this.#surroundings = surroundings;
    this.#host = new Host({
      instance,
      locks,
      clock: systemClock,
      remembers: true,
      openDatabase: () => storage.database(() => this.#alive),
      openChannel: () => channel,
      prepare: (names) => prepare(names.instance(instance)),
    });
  }

  /** A tab connects. */
  attach(port: TestPort): void {
    this.#ports.push(port);
    port.awake = () => this.#awake;
    this.#host.attach(port);
  }

  /** Hangs: neither its messages nor those to it arrive until it wakes. */
  wedge(): void {
    if (this.#wake) return;
    this.#awake = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Ends by itself, as the coordinator of a page does that rests. */
  close(): void {
    this.#host.close();
  }

  /** Ends without a word. Gives the tabs' ends of its lines, which lead nowhere now. */
  kill(): TestPort[] {
    const { locks, channel } = this.#surroundings;
    this.#alive = false;
    channel.close();
    const ends = this.#ports.flatMap(({ peer }) => peer ?? []);
    for (const port of this.#ports) port.sever();
    locks.crash();
    return ends;
  }
}
