import type {
  AbandonOptions,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../src/errors.js";
import { recoveryPostponed } from "../src/operation-errors.js";
import {
  type Decision,
  decideAbandon,
  decideComplete,
  decideRelease,
  decideStart,
} from "./decisions.js";
import { type Caller, MemorySpace } from "./memory-space.js";
import type {
  BeginAnswer,
  BeginRequest,
  Granted,
  OperationRecord,
  OwnedClaim,
  SettleAnswer,
} from "./records.js";

/** A claim that this tab has and has not settled. */
interface Claim extends OwnedClaim {
  readonly tool: string;
  readonly fingerprint: string | undefined;
}

/**
 * An idempotency store in memory: the whole store contract without a browser, for tests. It decides as the profile's
 * store does. One instance stands for one tab; nothing outlives the process.
 */
export class MemoryIdempotencyStore implements IdempotencyStore {
  #space = new MemorySpace();
  #owner = this.#space.nextId();
  readonly #claims = new Map<number, Claim>();
  readonly #waiting = new Map<Caller, (reason: unknown) => void>();
  readonly #lost = new AbortController();

  /** A store on the same memory: another tab of the same browser profile. */
  anotherTab(): MemoryIdempotencyStore {
    const other = new MemoryIdempotencyStore();
    other.#space = this.#space;
    other.#owner = this.#space.nextId();
    return other;
  }

  /**
   * Ends this tab as a crash does: its reserved claims are free, its started ones in doubt, and it waits for nothing any
   * more. Whatever the tab still tries, and all that it waited for, rejects with a `ClaimLostError`. Twice is fine.
   */
  crash(): void {
    this.#lost.abort(new ClaimLostError());
    for (const [caller, reject] of this.#waiting) {
      this.#space.leave(caller);
      reject(this.#lost.signal.reason);
    }
    for (const claim of this.#claims.values()) this.#space.bury(claim);
    this.#waiting.clear();
    this.#claims.clear();
  }

  async begin(key: string, options: BeginOptions): Promise<Begun> {
    const { signal, onWait } = options;
    signal.throwIfAborted();
    this.#lost.signal.throwIfAborted();
    const request = this.#request(key, options);
    return await new Promise<Begun>((resolve, reject) => {
      const leave = () => {
        this.#space.leave(caller);
        this.#waiting.delete(caller);
        reject(signal.reason);
      };
      const caller: Caller = {
        request,
        waits: () => {
          this.#waiting.set(caller, reject);
          signal.addEventListener("abort", leave, { once: true });
          onWait?.();
        },
        answer: (answer) => {
          this.#waiting.delete(caller);
          signal.removeEventListener("abort", leave);
          resolve(this.#begun(request, answer));
        },
      };
      this.#space.begin(caller);
    });
  }

  async start(key: string, { fence, fresh = false, journalKey }: StartOptions): Promise<void> {
    this.#settle(this.#claim(key, fence), (record, claim) =>
      decideStart(record, claim, { now: this.#space.now(), fresh, journalKey }),
    );
  }

  async complete(key: string, value: unknown, { fence }: ClaimOptions): Promise<void> {
    // Nobody may change what is stored; a value that can't be copied leaves the claim open.
    const output = structuredClone(value);
    this.#end(this.#claim(key, fence), (record, claim) =>
      decideComplete(record, claim, { now: this.#space.now(), output }),
    );
  }

  async release(key: string, { fence }: ClaimOptions): Promise<void> {
    this.#end(this.#claim(key, fence), (record, claim) =>
      decideRelease(record, claim, this.#space.now()),
    );
  }

  async abandon(key: string, { fence, executed = false }: AbandonOptions): Promise<void> {
    this.#end(this.#claim(key, fence), (record, claim) =>
      decideAbandon(record, claim, { now: this.#space.now(), executed }),
    );
  }

  #request(
    key: string,
    { tool = "", fingerprint, journalKey, reserve = false }: BeginOptions,
  ): BeginRequest {
    const call = this.#space.nextId();
    return { key, tool, fingerprint, journalKey, call, attempt: 0, owner: this.#owner, reserve };
  }

  /** Takes note of a claim in the same step in which it was made. */
  async #begun(
    { key, tool, fingerprint, call, owner }: BeginRequest,
    answer: Exclude<BeginAnswer, { state: "held" }>,
  ): Promise<Begun> {
    switch (answer.state) {
      case "completed":
        return { state: "completed", value: structuredClone(answer.output) };
      case "granted":
        this.#claims.set(answer.fence, {
          ...{ key, tool, fingerprint, call, owner },
          fence: answer.fence,
        });
        return owned(answer, this.#lost.signal);
      case "conflict":
        throw new IdempotencyConflictError(answer.reason);
      case "postponed":
        throw recoveryPostponed(answer);
      case "superseded":
      case "purged":
        // Only a call that is issued again can be superseded, and nobody purges here.
        throw new ClaimLostError();
      default:
        return answer satisfies never;
    }
  }

  /** The open claim with this fence or, for a caller that passes none, the only one on the key. */
  #claim(key: string, fence: number | undefined): Claim {
    this.#lost.signal.throwIfAborted();
    const claim =
      fence === undefined
        ? Array.from(this.#claims.values()).find((open) => open.key === key)
        : this.#claims.get(fence);
    if (claim?.key !== key) throw new ClaimLostError();
    return claim;
  }

  #end(claim: Claim, decide: Decide): void {
    this.#claims.delete(claim.fence);
    this.#settle(claim, decide);
  }

  #settle(claim: Claim, decide: Decide): void {
    const answer = this.#space.settle(claim, (record) => decide(record, claim));
    if (answer.state === "lost") throw new ClaimLostError();
  }
}

type Decide = (record: OperationRecord | undefined, claim: Claim) => Decision<SettleAnswer>;

/** What a new owner is told. */
function owned({ takeover, fence, executed, journalKey }: Granted, lost: AbortSignal): Begun {
  return takeover
    ? { state: "in_flight", fence, lost, executed, journalKey: journalKey ?? null }
    : { state: "fresh", fence, lost };
}
