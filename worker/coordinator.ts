import type { Clock } from "../src/clock.js";
import type { CompletionTerms, Operations } from "../stores/operations.js";
import type { BeginAnswer, OwnedClaim, SettleAnswer } from "../stores/records.js";
import { Changes } from "./changes.js";
import { Housekeeper } from "./housekeeper.js";
import type { Names } from "./names.js";
import { Owners } from "./owners.js";
import type { Answer, BeginRequest, ClaimRef, FirstAnswer, Intent, Terms } from "./protocol.js";
import { type Queue, Waiter } from "./queue.js";
import { Queues } from "./queues.js";
import { Reviewer } from "./reviewer.js";

/** What a coordinator needs from its surroundings. */
export interface CoordinatorOptions {
  readonly operations: Operations;
  readonly names: Names;
  readonly locks: LockManager;
  readonly channel: BroadcastChannel;
  readonly clock: Clock;
}

/**
 * Decides who owns which key and who waits for it. The durable record has the authority; this memory is a queue, and
 * any number of coordinators may run at once.
 */
export class Coordinator {
  /** Answers what is asked about the operations as a whole. */
  readonly reviewer: Reviewer;
  /** Tells who listens that operations have changed. */
  readonly changes: Changes;
  readonly #housekeeper: Housekeeper;
  readonly #operations: Operations;
  readonly #channel: BroadcastChannel;
  readonly #owners: Owners;
  readonly #queues: Queues;
  /** Calls whose answer has not been fetched. */
  readonly #calls = new Map<string, Waiter>();

  constructor({ operations, names, locks, channel, clock }: CoordinatorOptions) {
    this.#operations = operations;
    this.#channel = channel;
    this.#owners = new Owners({
      locks,
      lockName: names.client,
      died: (owner, claims) => this.#ownerDied(owner, claims),
    });
    this.#queues = new Queues({ clock, look: (key) => this.#look(key) });
    const { administration } = operations;
    this.changes = new Changes({ clock, lastFence: () => administration.lastFence() });
    const swept = () => this.changes.note();
    this.#housekeeper = new Housekeeper({ administration, clock, swept });
    this.reviewer = new Reviewer({
      administration,
      clock,
      bury: (claim) => this.#bury(claim),
      changed: (keys) => {
        for (const key of keys) this.#announce(key);
        this.changes.note();
      },
      waiters: (key) => this.#queues.find(key)?.waiters.length ?? 0,
      isAlive: (claim) => this.#owners.isAlive(claim),
    });
    channel.addEventListener("message", ({ data }) => this.#hear(data));
  }

  /** A tab has said hello. */
  joined(terms: Terms): void {
    this.#housekeeper.joined(terms);
  }

  /** Asks for a key. A live owner's key is waited for: see {@link wait}. */
  async begin(request: BeginRequest): Promise<FirstAnswer> {
    // In the lock's queue before the record is read: the caller's own death can't be missed.
    this.#owners.watch(request.owner);
    const older = this.#calls.get(request.call);
    if (older && older.request.attempt > request.attempt) return { state: "superseded" };
    if (older) this.#drop(older);
    const waiter = new Waiter(request);
    this.#calls.set(request.call, waiter);
    this.#queues.open(request.key).waiters.push(waiter);
    this.#look(request.key);
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

  /**
   * A page with these owners went into the back/forward cache. Its callers wait no more, and what they were given and not
   * sent is undone; what they were sent stays theirs.
   */
  freeze(owners: readonly string[]): void {
    for (const waiter of this.#calls.values()) {
      if (!owners.includes(waiter.request.owner)) continue;
      waiter.frozen = true;
      this.#forget(waiter);
      if (waiter.claim) void this.#undo(waiter.claim);
      else if (!this.#queues.find(waiter.request.key)?.busy) this.#drop(waiter);
    }
    if (owners.length > 0) this.#channel.postMessage({ frozen: owners });
    this.#owners.freeze(owners);
  }

  /** The claim's handler is about to be entered. */
  start(
    claim: ClaimRef,
    options: { readonly fresh: boolean; readonly journalKey?: string | undefined },
  ): Promise<SettleAnswer> {
    return this.#noting(this.#housekeeper.withRoom(() => this.#operations.start(claim, options)));
  }

  async complete(
    claim: ClaimRef & Intent,
    output: unknown,
    terms?: CompletionTerms,
  ): Promise<SettleAnswer> {
    const complete = () => this.#operations.complete(claim, output, terms);
    const answer = await this.#settle(claim, this.#housekeeper.withRoom(complete));
    this.#housekeeper.completed();
    return answer;
  }

  /** A tab can't read the output that was stored under this fence. */
  async unreadable(key: string, fence: number): Promise<null> {
    await this.#operations.unreadable(key, fence);
    this.#announce(key);
    return null;
  }

  release(claim: ClaimRef): Promise<SettleAnswer> {
    return this.#settle(claim, this.#operations.release(claim));
  }

  abandon(claim: ClaimRef, options: { readonly executed: boolean }): Promise<SettleAnswer> {
    return this.#settle(claim, this.#operations.abandon(claim, options));
  }

  completed(intent: Intent): Promise<{ readonly output: unknown } | undefined> {
    return this.#operations.completed(intent);
  }

  entry(key: string): Promise<{ readonly entry: unknown } | undefined> {
    return this.#operations.entry(key);
  }

  journal(claim: ClaimRef, entry: { readonly entry: unknown } | undefined): Promise<SettleAnswer> {
    return this.#housekeeper.withRoom(() => this.#operations.journal(claim, entry));
  }

  /** Those who listen are told when it is done. */
  async #noting<T>(change: Promise<T>): Promise<T> {
    const value = await change;
    this.changes.note();
    return value;
  }

  /** Waits for nobody any more. Its waiters get no answer: whoever closes it has none. */
  close(): void {
    this.#owners.close();
    this.#housekeeper.close();
    this.#queues.stop();
  }

  async #settle(claim: ClaimRef, settling: Promise<SettleAnswer>): Promise<SettleAnswer> {
    const answer = await settling;
    this.#owners.forget(claim.fence);
    this.#announce(claim.key);
    return answer;
  }

  /** Other coordinators say which keys were settled, and which pages are frozen. What another build says is passed over. */
  #hear(news: unknown): void {
    if (typeof news === "string") {
      this.changes.note();
      this.#look(news);
    }
    const { frozen } = Object(news) as { readonly frozen?: unknown };
    if (Array.isArray(frozen)) this.#owners.freeze(frozen);
  }

  /** The key's waiters look again, here and in every other coordinator. */
  #announce(key: string): void {
    this.#channel.postMessage(key);
    this.changes.note();
    this.#look(key);
  }

  /** Decides a key's waiters against its record, and again for as long as there is news. */
  #look(key: string): void {
    const queue = this.#queues.find(key);
    if (!queue) return;
    queue.again = true;
    if (!queue.busy) void this.#decide(queue);
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
    // A copy: others may come while the transaction runs, and they are next.
    const waiters = [...queue.waiters];
    try {
      const begin = () => this.#operations.begin(queue.key, waiters);
      const answers = await this.#housekeeper.withRoom(begin);
      this.changes.note();
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
      if (waiter.left || waiter.frozen) this.#drop(waiter);
      else {
        this.#owners.isWaitedFor(answer.claim.owner);
        waiter.tellToWait();
      }
      return;
    }
    queue.remove(waiter);
    if (answer.state === "granted") {
      const { key, call, owner } = waiter.request;
      waiter.claim = { key, call, owner, fence: answer.fence };
      this.#owners.meet(waiter.claim);
      if (waiter.frozen) void this.#undo(waiter.claim);
    }
    waiter.resolve(answer.state === "purged" ? { state: "purged" } : answer);
  }

  /** Whether a claim that was purged goes on. Nobody waits for it, so its owner's death is looked for by who meets it. */
  async #lives(claim: OwnedClaim): Promise<boolean> {
    if (await this.#owners.isAlive(claim)) return true;
    await this.#bury(claim);
    return false;
  }

  #ownerDied(owner: string, claims: Iterable<OwnedClaim>): void {
    for (const waiter of this.#calls.values()) {
      if (waiter.request.owner !== owner) continue;
      this.#forget(waiter);
      this.#drop(waiter);
    }
    for (const claim of claims) void this.#bury(claim);
  }

  async #bury(claim: OwnedClaim): Promise<void> {
    try {
      if (await this.#operations.bury(claim)) this.#announce(claim.key);
    } catch {
      // The storage failed. Whoever waits meets the claim again at the next regular look, and buries it then.
      this.#owners.remember(claim);
    }
  }

  /** Its page has not heard of the claim, so that its handler was not entered. */
  async #undo(claim: OwnedClaim): Promise<void> {
    try {
      if (await this.#operations.undo(claim)) this.#announce(claim.key);
    } catch {
      // The storage failed: the claim stays with its page, as if it had been sent.
    }
  }

  #drop(waiter: Waiter): void {
    const queue = this.#queues.find(waiter.request.key);
    queue?.remove(waiter);
    this.changes.note();
    waiter.resolve({ state: "dropped" });
    if (queue) this.#queues.closeIfEmpty(queue);
  }

  #forget(waiter: Waiter): void {
    const { call } = waiter.request;
    if (this.#calls.get(call) === waiter) this.#calls.delete(call);
  }
}
