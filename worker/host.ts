import * as Comlink from "comlink";
import type { Clock } from "../src/clock.js";
import type { Database } from "../stores/database.js";
import { Operations } from "../stores/operations.js";
import { Coordinator } from "./coordinator.js";
import { guarded } from "./endpoint.js";
import { type Names, namesOf } from "./names.js";
import { createSession } from "./session.js";

/** What a host finds in its surroundings, be they a SharedWorker or a page. */
export interface HostOptions {
  /** Id of this run. */
  readonly instance: string;
  readonly locks: LockManager;
  readonly clock: Clock;
  /** Whether replays may be answered from memory: not in a page, which can freeze with it. */
  readonly remembers: boolean;
  /** `lost`: to be called when the browser has closed it, and may have deleted it. */
  readonly openDatabase: (name: string, lost: () => void) => Database;
  readonly openChannel: (name: string) => BroadcastChannel;
  /** What comes before a namespace's first answer; a rejection is that answer. */
  readonly prepare: (names: Names) => Promise<void>;
}

interface Coordination {
  readonly coordinator: Coordinator;
  close(): void;
}

/** Runs one coordinator for each namespace that tabs ask for, and a session for each tab that connects. */
export class Host {
  readonly #options: HostOptions;
  readonly #coordinations = new Map<string, Promise<Coordination>>();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** A tab connects. Its messages are heard from now on. */
  attach(port: MessagePort): void {
    const { instance } = this.#options;
    const coordinate = async (namespace: string) => (await this.#join(namespace)).coordinator;
    const session = createSession({ instance, coordinate });
    Comlink.expose(session, guarded(port, Object.keys(session)));
  }

  /** Waits for nothing any more, and gives back the storage when its last transaction has ended. */
  close(): void {
    for (const coordination of this.#coordinations.values()) {
      coordination.then(({ close }) => close()).catch(() => {});
    }
    this.#coordinations.clear();
  }

  #join(namespace: string): Promise<Coordination> {
    const open = this.#coordinations.get(namespace);
    if (open) return open;
    const opening = this.#open(namesOf(namespace));
    this.#coordinations.set(namespace, opening);
    opening.catch(() => this.#coordinations.delete(namespace));
    return opening;
  }

  async #open(names: Names): Promise<Coordination> {
    const { locks, clock, remembers, openDatabase, openChannel, prepare } = this.#options;
    await prepare(names);
    const database = openDatabase(names.database, () => operations.replays.renew());
    const channel = openChannel(names.channel);
    const operations = new Operations(database, clock.now);
    const coordinator = new Coordinator({
      ...{ operations, names, locks, channel, clock, remembers },
    });
    const close = () => {
      coordinator.close();
      channel.close();
      database.close();
    };
    return { coordinator, close };
  }
}
