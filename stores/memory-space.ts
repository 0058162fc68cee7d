import { systemClock } from "../src/clock.js";
import { type Decision, decideBegin, decideDeath } from "./decisions.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimRef,
  OperationRecord,
  OwnedClaim,
  SettleAnswer,
} from "./records.js";

/** A call that asks for a key. */
export interface Caller {
  readonly request: BeginRequest;
  /** Somebody else has the key: the caller waits. Called at most once. */
  readonly waits: () => void;
  /** The caller is told once, and never while it waits. */
  readonly answer: (answer: Exclude<BeginAnswer, { state: "held" }>) => void;
}

/** The records and waiters of one browser profile in memory. Every decision is made in one synchronous step. */
export class MemorySpace {
  readonly #records = new Map<string, OperationRecord>();
  readonly #waiters = new Map<string, readonly Caller[]>();
  #lastFence = 0;
  #lastId = 0;

  /** Epoch milliseconds. */
  now(): number {
    return systemClock.now();
  }

  /** An id for a tab or a call. */
  nextId(): string {
    return String(++this.#lastId);
  }

  /** Answers the caller now, or when its turn comes. */
  begin(caller: Caller): void {
    const { key } = caller.request;
    if (this.#answered(caller)) return;
    this.#waiters.set(key, [...this.#waitersOf(key), caller]);
    caller.waits();
  }

  /** The caller waits no longer. */
  leave(caller: Caller): void {
    const { key } = caller.request;
    const others = this.#waitersOf(key).filter((other) => other !== caller);
    if (others.length > 0) this.#waiters.set(key, others);
    else this.#waiters.delete(key);
  }

  /** Decides about a claim; if that moves the key, its waiters are served in turn. */
  settle(
    { key }: ClaimRef,
    decide: (record: OperationRecord | undefined) => Decision<SettleAnswer>,
  ): SettleAnswer {
    return this.#decide(key, decide);
  }

  /** The claim's owner is dead. */
  bury(claim: OwnedClaim): void {
    this.#decide(claim.key, (record) => decideDeath(record, claim, this.now()));
  }

  #decide<Answer>(
    key: string,
    decide: (record: OperationRecord | undefined) => Decision<Answer>,
  ): Answer {
    const decision = decide(this.#records.get(key));
    this.#apply(key, decision);
    for (const caller of this.#waitersOf(key)) {
      if (this.#answered(caller)) this.leave(caller);
    }
    return decision.answer;
  }

  #answered({ request, answer }: Caller): boolean {
    const decision = decideBegin(this.#records.get(request.key), request, {
      now: this.now(),
      fence: this.#lastFence + 1,
      // A claim in memory is handed over and started in one step.
      waited: false,
    });
    this.#apply(request.key, decision);
    if (decision.answer.state === "held") return false;
    answer(decision.answer);
    return true;
  }

  #apply(key: string, { record }: Decision<unknown>): void {
    if (record === "keep") return;
    if (record === "free") {
      this.#records.delete(key);
      return;
    }
    this.#records.set(key, record);
    this.#lastFence = Math.max(this.#lastFence, record.fence);
  }

  #waitersOf(key: string): readonly Caller[] {
    return this.#waiters.get(key) ?? [];
  }
}
