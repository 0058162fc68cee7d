import type { Clock } from "../src/clock.js";
import type { Operations } from "../stores/operations.js";
import type { BeginAnswer, OwnedClaim } from "../stores/records.js";
import type { Owners } from "./owners.js";
import type { Answer, BeginRequest, FirstAnswer } from "./protocol.js";
import { type Queue, Waiter } from "./queue.js";
import { Queues } from "./queues.js";

/**
 * How long a call that has to wait is not told so, in milliseconds: an owner is often done before, and then one answer is
 * enough.
 */
const TELL_AFTER_MS = 20;

/** What {@link Callers} need from their coordinator. */
export interface CallersOptions {
  readonly operations: Operations;
  readonly owners: Owners;
  readonly clock: Clock;
  /** Stores something, if need be after making room. */
  readonly withRoom: <T>(store: () => Promise<T>) => Promise<T>;
  /** Operations have changed. */
  readonly changed: () => void;
  /** Ends a claim that its page has not heard of. */
  readonly undo: (claim: OwnedClaim) => void;
  /** Ends the claim of an owner that is gone. */
  readonly bury: (claim: OwnedClaim) => Promise<void>;
}

/** The calls that ask for a key: each is decided against the key's record, in the order in which they came, or waits. */
export class Callers {
  readonly #operations: Operations;
  readonly #owners: Owners;
  readonly #withRoom: <T>(store: () => Promise<T>) => Promise<T>;
  readonly #changed: () => void;
  readonly #undo: (claim: OwnedClaim) => void;
  readonly #bury: (claim: OwnedClaim) => Promise<void>;
  readonly #queues: Queues;
  /** Calls whose answer has not been fetched. */
  readonly #calls = new Map<string, Waiter>();
  readonly #clock: Clock;
  /** Calls that wait and were not told so. */
  readonly #untold: Waiter[] = [];

  constructor({ operations, owners, clock, withRoom, changed, undo, bury }: CallersOptions) {
    this.#operations = operations;
    this.#owners = owners;
    this.#clock = clock;
    this.#withRoom = withRoom;
    this.#changed = changed;
    this.#undo = undo;
    this.#bury = bury;
    this.#queues = new Queues({ clock, look: (key) => this.look(key) });
  }

  /** How many wait for the key. */
  count(key: string): number {
    return this.#queues.find(key)?.waiters.length ?? 0;
  }

  /** A call asks for its key, over that line. Tells it to wait where the key has a live owner. */
  async begin(request: BeginRequest, line: object): Promise<FirstAnswer> {
    const recalled = request.attempt === 0 && this.#operations.recall({ request, waited: false });
    if (recalled) return recalled;
    // In the lock's queue before the record is read: the caller's own death can't be missed.
    this.#owners.watch(request.owner);
    const older = this.#calls.get(request.call);
    if (older && older.request.attempt > request.attempt) return { state: "superseded" };
    if (older) this.#drop(older);
    const waiter = new Waiter(request, line);
    this.#calls.set(request.call, waiter);
    this.#queues.open(request.key).waiters.push(waiter);
    this.look(request.key);
    try {
      const answer = await waiter.first;
      if (answer.state !== "waiting") this.#forget(waiter);
      return answer;
    } catch (error) {
      this.#forget(waiter);
      throw error;
    }
  }

  /** The answer for a call that was told to wait; `undefined` for a call that nobody knows. */
  async wait(call: string): Promise<Answer | undefined> {
    const waiter = this.#calls.get(call);
    if (!waiter) return undefined;
    try {
      return await waiter.answer;
    } finally {
      this.#forget(waiter);
    }
  }

  /** The call wants no answer any more. One that is being decided still gets it, and gives it back. */
  leave(call: string): void {
    const waiter = this.#calls.get(call);
    if (!waiter) return;
    waiter.left = true;
    if (!this.#queues.find(waiter.request.key)?.busy) this.#drop(waiter);
  }

  /** The page with these owners hears nothing: what its calls were given and not sent is undone. */
  freeze(owners: readonly string[]): void {
    this.#hush(({ request }) => owners.includes(request.owner));
  }

  /** The page hears nothing over this line any more, and asks elsewhere for what it still wants. */
  hangUp(line: object): void {
    this.#hush((waiter) => waiter.line === line);
  }

  /** Nobody hears the answers of this owner's calls. */
  ownerDied(owner: string): void {
    for (const waiter of this.#calls.values()) {
      if (waiter.request.owner !== owner) continue;
      this.#forget(waiter);
      this.#drop(waiter);
    }
  }

  /** Decides a key's callers against its record, and again for as long as there is news. */
  look(key: string): void {
    const queue = this.#queues.find(key);
    if (!queue) return;
    queue.again = true;
    if (!queue.busy) void this.#decide(queue);
  }

  /** Looks at nothing any more. Who waits gets no answer: whoever closes it has none. */
  close(): void {
    this.#queues.stop();
  }

  async #decide(queue: Queue): Promise<void> {
    queue.busy = true;
    while (queue.again && queue.waiters.length > 0) {
      queue.again = false;
      await this.#decideOnce(queue);
    }
    queue.busy = false;
    this.#queues.closeIfEmpty(queue);
  }

  async #decideOnce(queue: Queue): Promise<void> {
    for (const waiter of queue.waiters) if (waiter.left || waiter.unheard) this.#drop(waiter);
    // A copy: others may come while the transaction runs, and they are next.
    const waiters = [...queue.waiters];
    if (waiters.length === 0) return;
    try {
      const answers = await this.#withRoom(() => this.#operations.begin(queue.key, waiters));
      this.#changed();
      for (const [waiter, answer] of answers) {
        if (answer.state === "purged" && answer.claim && !(await this.#lives(answer.claim)))
          continue;
        this.#answer(queue, waiter, answer);
      }
    } catch (error) {
      for (const waiter of waiters) {
        queue.remove(waiter);
        waiter.reject(error);
      }
    }
  }

  #answer(queue: Queue, waiter: Waiter, answer: BeginAnswer): void {
    if (answer.state === "held") {
      // A new watch may have come too late for the claim that was just read.
      if (this.#owners.meet(answer.claim)) queue.again = true;
      if (waiter.left || waiter.unheard) this.#drop(waiter);
      else {
        this.#owners.isWaitedFor(answer.claim.owner);
        // What a call that is issued again has waited behind before, nobody knows here.
        if (waiter.request.attempt === 0) waiter.behind ??= answer.claim.fence;
        this.#letWait(waiter);
      }
      return;
    }
    queue.remove(waiter);
    if (answer.state === "granted") {
      const { key, call, owner } = waiter.request;
      waiter.claim = { key, call, owner, fence: answer.fence };
      this.#owners.meet(waiter.claim);
      if (waiter.unheard) this.#undo(waiter.claim);
    }
    waiter.resolve(answer.state === "purged" ? { state: "purged" } : answer);
  }

  #letWait(waiter: Waiter): void {
    if (waiter.waited) return;
    waiter.waited = true;
    if (this.#untold.length === 0) this.#clock.after(TELL_AFTER_MS, () => this.#tell());
    this.#untold.push(waiter);
  }

  /** Those who have their answer by now hear nothing of it. */
  #tell(): void {
    for (const waiter of this.#untold.splice(0)) waiter.tellToWait();
  }

  /** Whether a claim that was purged goes on. Nobody waits for it, so its owner's death is looked for by who meets it. */
  async #lives(claim: OwnedClaim): Promise<boolean> {
    if (await this.#owners.isAlive(claim)) return true;
    await this.#bury(claim);
    return false;
  }

  #hush(isMeant: (waiter: Waiter) => boolean): void {
    for (const waiter of this.#calls.values()) {
      if (!isMeant(waiter)) continue;
      waiter.unheard = true;
      this.#forget(waiter);
      if (waiter.claim) this.#undo(waiter.claim);
      else if (!this.#queues.find(waiter.request.key)?.busy) this.#drop(waiter);
    }
  }

  #drop(waiter: Waiter): void {
    const queue = this.#queues.find(waiter.request.key);
    queue?.remove(waiter);
    this.#changed();
    waiter.resolve({ state: "dropped" });
    if (queue) this.#queues.closeIfEmpty(queue);
  }

  #forget(waiter: Waiter): void {
    const { call } = waiter.request;
    if (this.#calls.get(call) === waiter) this.#calls.delete(call);
  }
}
