import { systemClock } from "../../src/clock.js";
import type {
  AbandonOptions,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../../src/errors.js";
import { recoveryPostponed } from "../../src/operation-errors.js";
import { persist } from "../../src/persist.js";
import { missing, notCoordinated } from "../../src/uncoordinated.js";
import { indexedDbDatabase } from "../database.js";
import type { BeginRequest, SettleAnswer } from "../records.js";
import { type Claim, Claims } from "./claims.js";
import { holdLock } from "./held-lock.js";
import { KeyRecords } from "./key-records.js";
import { DEFAULT_NAME, keyLock } from "./names.js";

/** Options of {@link IndexedDbIdempotencyStore}. */
export interface IndexedDbIdempotencyStoreOptions {
  /**
   * The database's name. Stores of one name coordinate with each other in all tabs, stores of different names share
   * nothing. Nothing personal, and no profile's namespace. Default `"signett-stores"`.
   */
  readonly name?: string;
  /** Default `navigator.locks`, looked up by each call. */
  readonly locks?: LockManager;
}

/**
 * Coordinates equal keys in all tabs of a browser profile with IndexedDB and one Web Lock a key, without a worker (core
 * concepts seed, "Idempotency"). A key's owner holds its lock from before the claim until the claim is settled, so
 * whoever is granted the lock knows that an owner in the record is gone.
 *
 * Making one starts nothing, so it can be made in a server render. Completed outputs stay until the site's data is
 * deleted.
 */
export class IndexedDbIdempotencyStore implements IdempotencyStore {
  readonly #name: string;
  readonly #locks: LockManager | undefined;
  readonly #records: KeyRecords;
  readonly #claims = new Claims();

  constructor({ name = DEFAULT_NAME, locks }: IndexedDbIdempotencyStoreOptions = {}) {
    this.#name = name;
    this.#locks = locks;
    this.#records = new KeyRecords(indexedDbDatabase(name));
  }

  /**
   * @throws {CoordinationUnavailableError} where IndexedDB or Web Locks are missing or fail.
   * @throws {IdempotencyConflictError} if the key was used by another tool or for another intent.
   */
  async begin(key: string, options: BeginOptions): Promise<Begun> {
    const { signal } = options;
    signal.throwIfAborted();
    return await new Promise<Begun>((resolve, reject) => {
      const leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      this.#claim(key, options)
        .then((begun) => (signal.aborted ? this.#giveBack(key, begun) : resolve(begun)))
        .catch((error: unknown) => reject(notCoordinated(error)))
        .finally(() => signal.removeEventListener("abort", leave));
    });
  }

  /** Resolves when the start is durable. */
  async start(key: string, { fence, fresh = false, journalKey }: StartOptions): Promise<void> {
    const claim = this.#claims.find(key, fence);
    if (claim.lock.lost.aborted) throw await this.#lost(claim);
    const answer = await this.#records.start(claim, { fresh, journalKey });
    if (answer.state === "lost") throw await this.#lost(claim);
  }

  /** A storage failure leaves the claim open, so that it can be abandoned. */
  async complete(key: string, value: unknown, { fence }: ClaimOptions): Promise<void> {
    const claim = this.#claims.find(key, fence);
    if (claim.lock.lost.aborted) throw await this.#lost(claim, { executed: true });
    const answer = await this.#records.complete(claim, value);
    this.#claims.close(claim);
    if (answer.state === "lost") throw claimLost(answer.completed);
  }

  async release(key: string, { fence }: ClaimOptions): Promise<void> {
    const claim = this.#claims.find(key, fence);
    await this.#end(claim, () => this.#records.release(claim));
  }

  async abandon(key: string, { fence, executed = false }: AbandonOptions): Promise<void> {
    const claim = this.#claims.find(key, fence);
    await this.#end(claim, () => this.#records.abandon(claim, { executed }), { executed });
  }

  async #claim(key: string, options: BeginOptions): Promise<Begun> {
    const { signal, tool = "", fingerprint, journalKey, reserve = false } = options;
    const locks = this.#usableLocks();
    const owner = keyLock(this.#name, key);
    const call = crypto.randomUUID();
    const intent = { key, tool, fingerprint };
    const request = { ...intent, journalKey, call, attempt: 0, owner, reserve };
    const waits = () => this.#wait(request, options);
    const lock = await holdLock(locks, owner, { signal, waits });
    let claim: Claim | undefined;
    try {
      const answer = await this.#records.begin(request, lock.lost);
      switch (answer.state) {
        case "completed":
          return { state: "completed", value: answer.output };
        case "conflict":
          throw new IdempotencyConflictError(answer.reason);
        case "postponed":
          throw recoveryPostponed(answer);
        case "held":
        case "purged":
        case "superseded":
          // Nobody purges here. Only another holder of this lock could be told so.
          throw new ClaimLostError();
        case "granted": {
          const { fence, takeover, executed, journalKey: earlier = null } = answer;
          claim = { ...intent, call, fence, lock };
          this.#claims.add(claim);
          const { lost } = lock;
          if (!takeover) return { state: "fresh", fence, lost };
          return { state: "in_flight", fence, lost, executed, journalKey: earlier };
        }
        default:
          return answer satisfies never;
      }
    } catch (error) {
      // The lock ended before the key was claimed: nothing has happened, and the key is asked for again.
      if (claim || !lock.lost.aborted) throw error;
    } finally {
      if (!claim) lock.release();
    }
    return this.#claim(key, options);
  }

  /** Somebody has the key's lock. A caller with another intent is refused at once. */
  async #wait(request: BeginRequest, { signal, onWait }: BeginOptions): Promise<void> {
    const reason = await this.#records.conflict(request);
    if (reason) throw new IdempotencyConflictError(reason);
    if (!signal.aborted) onWait?.();
  }

  /** Ends a claim without an output. If that can't be stored, the end of its lock says that nobody works on it. */
  async #end(
    claim: Claim,
    settle: () => Promise<SettleAnswer>,
    { executed = false } = {},
  ): Promise<void> {
    if (claim.lock.lost.aborted) throw await this.#lost(claim, { executed });
    let answer: SettleAnswer;
    try {
      answer = await settle();
    } catch (error) {
      // It would not say that the handler had returned: for that the lock is kept until it is stored.
      this.#claims.remove(claim);
      if (executed) void persist(settle, { clock: systemClock }).then(() => claim.lock.release());
      else claim.lock.release();
      throw error;
    }
    if (answer.state === "lost") throw await this.#lost(claim);
    this.#claims.close(claim);
  }

  /** Somebody else may have completed the operation since, and whoever recovers it must know that a handler had returned. */
  async #lost(claim: Claim, { executed = false } = {}): Promise<ClaimLostError> {
    this.#claims.close(claim);
    const tell = () => this.#records.abandon(claim, { executed });
    if (executed) await tell().catch(() => void persist(tell, { clock: systemClock }));
    return claimLost(await this.#records.completed(claim).catch(() => undefined));
  }

  /** A grant that came after its caller had left. */
  async #giveBack(key: string, begun: Begun): Promise<void> {
    if (begun.state === "completed") return;
    const options = { signal: new AbortController().signal, fence: begun.fence };
    await (begun.state === "fresh" ? this.release(key, options) : this.abandon(key, options));
  }

  #usableLocks(): LockManager {
    if (!globalThis.indexedDB) throw missing("IndexedDB");
    const locks = this.#locks ?? globalThis.navigator?.locks;
    if (!locks) throw missing("Web Locks");
    return locks;
  }
}

const claimLost = (completed: { readonly output: unknown } | undefined): ClaimLostError =>
  new ClaimLostError(completed && { value: completed.output });
