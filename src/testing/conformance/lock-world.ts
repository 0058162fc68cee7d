import type { Deadline } from "./deadline.js";
import { expectRejection, fail, lacking } from "./expectations.js";

/** Lock managers that compete for the same locks, as the tabs and workers of one browser profile do. */
export interface LockSpace<Locks extends LockManager = LockManager> {
  /** Gives the lock manager as one more tab or worker has it. It may be the same one each time. */
  open(): Promise<Locks> | Locks;
  /** Ends a client as a crash does. Absent: what needs a crash is skipped. */
  crash?(locks: Locks): Promise<void> | void;
  /**
   * Lets a client stand still, as a hidden tab does whose timers don't run, for longer than any timer that the manager goes
   * by. Resolves when that time is over. Absent: what needs it is skipped.
   */
  freeze?(locks: Locks): Promise<void> | void;
  /** Ends what the space holds. */
  close?(): Promise<void> | void;
}

/** One request. Its callback stays until {@link release}. */
export class LockRequest {
  readonly #what: string;
  readonly #deadline: Deadline;
  readonly #called: Promise<Lock | null>;
  readonly #ended: Promise<unknown>;
  #letGo = () => {};
  #lock: Lock | null = null;

  constructor(locks: LockManager, name: string, options: LockOptions, deadline: Deadline) {
    this.#what = `request(${JSON.stringify(name)})`;
    this.#deadline = deadline;
    const wanted = new Promise<void>((resolve) => {
      this.#letGo = resolve;
    });
    let called: (lock: Lock | null) => void = () => {};
    const granted = new Promise<Lock | null>((resolve) => {
      called = resolve;
    });
    this.#ended = (async () =>
      await locks.request(name, options, async (lock) => {
        this.#lock = lock;
        called(lock);
        await wanted;
        this.#lock = null;
      }))();
    this.#called = Promise.race([granted, this.#ended.then(() => granted)]);
    this.#called.catch(() => {});
  }

  /** It has the lock now. */
  get holds(): boolean {
    return this.#lock !== null;
  }

  /** Resolves when the callback runs, with what it was given. */
  called(): Promise<Lock | null> {
    return this.#deadline.within(this.#called, `the grant of ${this.#what}`);
  }

  /** Resolves when the lock is granted. */
  async granted(): Promise<this> {
    if ((await this.called()) === null) fail(`${this.#what} was called without a lock`);
    return this;
  }

  /** Lets the lock go, now or as soon as it is granted, and resolves when the request has ended. */
  async release(): Promise<void> {
    this.#letGo();
    await this.#deadline.within(this.#ended, `the end of ${this.#what}`);
  }

  /** What it was rejected with. */
  rejected(): Promise<unknown> {
    const rejection = expectRejection(async () => await this.#ended, this.#what);
    return this.#deadline.within(rejection, `the rejection of ${this.#what}`);
  }

  /** Keeps no lock, whatever becomes of the request. */
  giveUp(): void {
    this.#letGo();
  }
}

/** One tab or worker. */
export class LockClient {
  readonly locks: LockManager;
  readonly deadline: Deadline;
  readonly #requests: LockRequest[] = [];
  readonly #label: string;
  #rounds = 0;

  constructor(label: string, locks: LockManager, deadline: Deadline) {
    this.#label = label;
    this.locks = locks;
    this.deadline = deadline;
  }

  /** Asks for a lock and goes on. */
  ask(name: string, options: LockOptions = {}): LockRequest {
    const request = new LockRequest(this.locks, name, options, this.deadline);
    this.#requests.push(request);
    return request;
  }

  /** Asks for a lock and is given it. */
  hold(name: string, options?: LockOptions): Promise<LockRequest> {
    return this.ask(name, options).granted();
  }

  /** Takes and gives back a lock that nobody else knows: grants that were due before have come. */
  async round(): Promise<void> {
    this.#rounds += 1;
    const request = await this.hold(`round ${this.#rounds} of ${this.#label}`);
    await request.release();
  }

  /** Keeps no lock. */
  close(): void {
    for (const request of this.#requests) request.giveUp();
  }
}

/** One space, its clients, and what happens to them. */
export class LockWorld<Locks extends LockManager = LockManager> {
  readonly #space: LockSpace<Locks>;
  readonly #deadline: Deadline;
  readonly #alive = new Map<LockClient, Locks>();
  #opened = 0;

  constructor(space: LockSpace<Locks>, deadline: Deadline) {
    this.#space = space;
    this.#deadline = deadline;
  }

  /** Opens three clients: enough for a holder and two that compete. */
  async clients(): Promise<readonly [LockClient, LockClient, LockClient]> {
    return [await this.client(), await this.client(), await this.client()];
  }

  /** Opens one more client. */
  async client(): Promise<LockClient> {
    const label = `client ${++this.#opened}`;
    const locks = await this.#deadline.within(this.#space.open(), `opening ${label}`);
    const client = new LockClient(label, locks, this.#deadline);
    this.#alive.set(client, locks);
    return client;
  }

  /** Every client has had its turn: nobody waits for a lock that is due. */
  async round(): Promise<void> {
    for (const client of this.#alive.keys()) await client.round();
  }

  /** @throws {Lacking} when the space can't crash a client. */
  async crash(client: LockClient): Promise<void> {
    const locks = this.#alive.get(client);
    if (!this.#space.crash || !locks) lacking("its space has no `crash`");
    this.#alive.delete(client);
    await this.#deadline.within(this.#space.crash(locks), "the crash");
  }

  /**
   * How long it takes is the space's to say.
   * @throws {Lacking} when the space can't freeze a client.
   */
  async freeze(client: LockClient): Promise<void> {
    const locks = this.#alive.get(client);
    if (!this.#space.freeze || !locks) lacking("its space has no `freeze`");
    await this.#space.freeze(locks);
  }

  /** Leaves no lock behind a check, however it ended. */
  async close(): Promise<void> {
    for (const client of this.#alive.keys()) client.close();
    await this.#space.close?.();
  }
}
