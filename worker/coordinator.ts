import type { Clock } from "../src/clock.js";
import type { CompletionTerms, Operations } from "../stores/operations.js";
import type { OwnedClaim, SettleAnswer } from "../stores/records.js";
import { Callers } from "./callers.js";
import { Changes } from "./changes.js";
import { Housekeeper } from "./housekeeper.js";
import { MemoryLease } from "./memory-lease.js";
import type { Names } from "./names.js";
import { Owners } from "./owners.js";
import { type News, PartyLine } from "./party-line.js";
import type { Answer, BeginRequest, ClaimRef, FirstAnswer, Intent, Terms } from "./protocol.js";
import { Reviewer } from "./reviewer.js";

/** What a coordinator needs from its surroundings. */
export interface CoordinatorOptions {
  readonly operations: Operations;
  readonly names: Names;
  readonly locks: LockManager;
  readonly channel: BroadcastChannel;
  readonly clock: Clock;
  /** Whether replays may be answered from memory. */
  readonly remembers: boolean;
}

/**
 * Decides who owns which key and who waits for it. The durable record has the authority; this memory is a queue and a
 * cache, and any number of coordinators may run at once.
 */
export class Coordinator {
  /** Answers what is asked about the operations as a whole. */
  readonly reviewer: Reviewer;
  /** Tells who listens that operations have changed. */
  readonly changes: Changes;
  readonly #callers: Callers;
  readonly #housekeeper: Housekeeper;
  readonly #operations: Operations;
  readonly #line: PartyLine;
  readonly #memory: MemoryLease;
  readonly #owners: Owners;

  constructor({ operations, names, locks, channel, clock, remembers }: CoordinatorOptions) {
    const { administration, replays } = operations;
    this.#operations = operations;
    this.#line = new PartyLine({ channel, clock, hear: (news) => this.#hear(news) });
    this.#owners = new Owners({
      locks,
      lockName: names.client,
      died: (owner, claims) => {
        this.#callers.ownerDied(owner);
        for (const claim of claims) void this.#bury(claim);
      },
    });
    this.#memory = new MemoryLease({
      ...{ locks, clock, replays, wanted: remembers },
      lockName: names.memory,
      announcePurge: () => this.#line.tell({ purge: true }),
    });
    const alone = <T>(work: () => Promise<T>) => this.#memory.alone(work);
    this.changes = new Changes({ clock, lastFence: () => administration.lastFence() });
    this.#housekeeper = new Housekeeper({
      ...{ administration, clock, alone },
      swept: (keys) => {
        for (const key of keys) replays.forget(key);
        this.changes.note();
      },
    });
    this.#callers = new Callers({
      ...{ operations, clock, owners: this.#owners },
      withRoom: (store) => this.#housekeeper.withRoom(store),
      changed: () => this.changes.note(),
      undo: (claim) => void this.#undo(claim),
      bury: (claim) => this.#bury(claim),
    });
    this.reviewer = new Reviewer({
      ...{ administration, clock, alone },
      bury: (claim) => this.#bury(claim),
      changed: (keys) => {
        for (const key of keys) this.#announce(key);
        this.changes.note();
      },
      waiters: (key) => this.#callers.count(key),
      isAlive: (claim) => this.#owners.isAlive(claim),
    });
  }

  /** A tab has said hello. */
  joined(terms: Terms): void {
    this.#housekeeper.joined(terms);
    this.#memory.take();
  }

  /**
   * Asks for a key. A live owner's key is waited for: see {@link wait}.
   * @param line The connection that the call came over; see {@link hangUp}.
   */
  begin(request: BeginRequest, line: object = request): Promise<FirstAnswer> {
    this.#memory.take();
    return this.#callers.begin(request, line);
  }

  /** A page has let go of its line: what was given to its calls and not sent is undone. */
  hangUp(line: object): void {
    this.#callers.hangUp(line);
  }

  /** The answer for a call that was told to wait; `undefined` for a call that nobody knows. */
  wait(call: string): Promise<Answer | undefined> {
    return this.#callers.wait(call);
  }

  /** The call wants no answer any more. One that is being decided still gets it, and gives it back. */
  leave(call: string): void {
    this.#callers.leave(call);
  }

  /**
   * A page with these owners went into the back/forward cache. Its callers wait no more, and what they were given and not
   * sent is undone; what they were sent stays theirs.
   */
  freeze(owners: readonly string[]): void {
    this.#callers.freeze(owners);
    // A worker may be stopped together with its pages, and must not keep others from purging.
    this.#memory.release();
    if (owners.length > 0) this.#line.tell({ frozen: owners });
    this.#owners.freeze(owners);
  }

  /** The claim's handler is about to be entered. */
  async start(
    claim: ClaimRef,
    options: { readonly fresh: boolean; readonly journalKey?: string | undefined },
  ): Promise<SettleAnswer> {
    const start = () => this.#operations.start(claim, options);
    const answer = await this.#housekeeper.withRoom(start);
    this.changes.note();
    return answer;
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

  /** A tab can't read the output that was stored under this fence. Answers whether it was purged before. */
  async unreadable(key: string, fence: number): Promise<boolean> {
    const wasPurged = await this.#operations.unreadable(key, fence);
    this.#announce(key);
    return wasPurged;
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

  /** Waits for nobody any more. */
  close(): void {
    this.#owners.close();
    this.#memory.release();
    this.#housekeeper.close();
    this.#callers.close();
    this.#line.close();
  }

  async #settle(claim: ClaimRef, settling: Promise<SettleAnswer>): Promise<SettleAnswer> {
    const answer = await settling;
    this.#owners.forget(claim.fence);
    this.#announce(claim.key);
    return answer;
  }

  /** What other coordinators say is a hint. */
  #hear({ settled = [], frozen, purge }: News): void {
    for (const key of settled) {
      this.#operations.replays.forget(key);
      this.changes.note();
      this.#callers.look(key);
    }
    if (frozen) this.#owners.freeze(frozen);
    if (purge) this.#memory.yield();
  }

  /** The key's waiters look again, here and in every other coordinator. */
  #announce(key: string): void {
    this.#line.settled(key);
    this.changes.note();
    this.#callers.look(key);
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
}
