import * as Comlink from "comlink";
import { systemClock } from "../../../src/clock.js";
import type { TestLockClient } from "../../../src/testing/locks.js";
import { Operations } from "../../../stores/operations.js";
import { Coordinator } from "../../../worker/coordinator.js";
import { guarded } from "../../../worker/endpoint.js";
import type { Names } from "../../../worker/names.js";
import { createSession } from "../../../worker/session.js";
import { hold } from "../locks.js";
import type { TestPort } from "./port.js";
import type { TestStorage } from "./storage.js";

/** What a run of the worker needs from the browser. */
interface Surroundings {
  readonly names: Names;
  readonly locks: TestLockClient;
  readonly channel: BroadcastChannel;
  readonly storage: TestStorage;
}

/** One run of the worker's script: the same session and coordinator, attached to ports in memory. */
export class TestWorker {
  readonly #instance = crypto.randomUUID();
  readonly #ports: TestPort[] = [];
  readonly #surroundings: Surroundings;
  #coordinator: Promise<Coordinator> | undefined;
  #alive = true;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** A tab connects. */
  attach(port: TestPort): void {
    this.#ports.push(port);
    const session = createSession({
      instance: this.#instance,
      coordinate: () => {
        this.#coordinator ??= this.#coordinate();
        return this.#coordinator;
      },
    });
    Comlink.expose(session, guarded(port, Object.keys(session)));
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

  async #coordinate(): Promise<Coordinator> {
    const { names, locks, channel, storage } = this.#surroundings;
    await hold(locks, names.instance(this.#instance));
    const operations = new Operations(storage.database(() => this.#alive));
    return new Coordinator({ operations, names, locks, channel, clock: systemClock });
  }
}
