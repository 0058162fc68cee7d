import type {
  AbandonOptions,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../src/errors.js";
import type { Granted, SettleAnswer } from "../worker/protocol.js";
import { type BeginCall, beginCall } from "./begin.js";
import type { Claim, Claims } from "./claims.js";
import { notCoordinated } from "./failures.js";
import type { Link } from "./link.js";
import type { Holding, Presence } from "./presence.js";

/** What the profile's store and journal share. */
export interface Tab {
  readonly link: Link;
  readonly presence: Presence;
  readonly claims: Claims;
  /** Rejects, before any effect, where calls can't be coordinated. */
  readonly usable: () => void;
}

/** The idempotency store of a profile, as one tab sees it. */
export class ProfileStore implements IdempotencyStore {
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  async begin(key: string, options: BeginOptions): Promise<Begun> {
    const { signal } = options;
    signal.throwIfAborted();
    this.#tab.usable();
    const call = beginCall(this.#tab, key, options);
    return await new Promise<Begun>((resolve, reject) => {
      const leave = () => {
        call.leave();
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#obtain(key, options, call).then(
        (begun) => {
          signal.removeEventListener("abort", leave);
          if (signal.aborted) this.#giveBack(key, begun);
          else resolve(begun);
        },
        (error: unknown) => {
          signal.removeEventListener("abort", leave);
          reject(error);
        },
      );
    });
  }

  async start(key: string, { fence, fresh = false, journalKey }: StartOptions): Promise<void> {
    const claim = this.#tab.claims.find(key, fence);
    await this.#start(claim, { fresh, journalKey });
  }

  async complete(key: string, value: unknown, { fence }: ClaimOptions): Promise<void> {
    const claim = this.#tab.claims.find(key, fence);
    if (claim.holding.lost.aborted) throw await this.#lost(claim);
    const { link } = this.#tab;
    // A storage failure leaves the claim open, so that it can be abandoned.
    const answer = await link.ask<SettleAnswer>((remote) =>
      remote.complete(messageOf(claim), value),
    );
    this.#close(claim);
    if (answer.state === "lost") {
      const { completed } = answer;
      throw new ClaimLostError(completed && { value: completed.output });
    }
  }

  release(key: string, { fence }: ClaimOptions): Promise<void> {
    return this.#end(key, fence, (claim) =>
      this.#tab.link.ask<SettleAnswer>((remote) => remote.release(messageOf(claim))),
    );
  }

  abandon(key: string, { fence, executed = false }: AbandonOptions): Promise<void> {
    return this.#end(key, fence, (claim) =>
      this.#tab.link.ask<SettleAnswer>((remote) => remote.abandon(messageOf(claim), { executed })),
    );
  }

  async #obtain(key: string, options: BeginOptions, call: BeginCall): Promise<Begun> {
    const { answer, holding } = await call.answer;
    if (answer.state === "granted") return this.#own(key, options, call, answer, holding);
    this.#tab.presence.release(holding);
    switch (answer.state) {
      case "completed":
        return { state: "completed", value: answer.output };
      case "conflict":
        throw new IdempotencyConflictError(answer.reason);
      case "superseded":
      case "dropped":
        // The caller has left, or a newer issue of this call was answered: nobody waits here.
        throw new ClaimLostError();
      default:
        return answer satisfies never;
    }
  }

  async #own(
    key: string,
    { tool = "", fingerprint, journalKey, reserve = false }: BeginOptions,
    { id }: BeginCall,
    { fence, phase, takeover, ...granted }: Granted,
    holding: Holding,
  ): Promise<Begun> {
    const claim: Claim = { key, tool, fingerprint, call: id, fence, holding };
    this.#tab.claims.add(claim);
    const { lost } = holding;
    if (takeover) {
      const { executed, journalKey: earlier = null } = granted;
      return { state: "in_flight", fence, lost, executed, journalKey: earlier };
    }
    // A waiter is handed its key reserved; whoever did not ask for that wants it started.
    if (phase === "reserved" && !reserve) await this.#startOrRelease(claim, journalKey);
    return { state: "fresh", fence, lost };
  }

  async #startOrRelease(claim: Claim, journalKey: string | undefined): Promise<void> {
    try {
      await this.#start(claim, { fresh: false, journalKey });
    } catch (error) {
      if (error instanceof ClaimLostError) throw error;
      const options = { signal: new AbortController().signal, fence: claim.fence };
      await this.release(claim.key, options).catch(() => {});
      throw notCoordinated(error);
    }
  }

  async #start(
    claim: Claim,
    options: { readonly fresh: boolean; readonly journalKey: string | undefined },
  ): Promise<void> {
    const answer = await this.#tab.link.ask<SettleAnswer>((remote) =>
      remote.start(messageOf(claim), options),
    );
    if (answer.state === "settled") return;
    this.#close(claim);
    throw new ClaimLostError();
  }

  /** Ends a claim without an output. If that can't be stored, the tab's death under this lock says it. */
  async #end(
    key: string,
    fence: number | undefined,
    settle: (claim: Claim) => Promise<SettleAnswer>,
  ): Promise<void> {
    const claim = this.#tab.claims.find(key, fence);
    if (claim.holding.lost.aborted) throw await this.#lost(claim);
    try {
      const answer = await settle(claim);
      if (answer.state === "lost") throw new ClaimLostError();
    } catch (error) {
      if (!(error instanceof ClaimLostError)) this.#tab.presence.renew();
      throw error;
    } finally {
      this.#close(claim);
    }
  }

  /** This tab was taken for dead. Somebody else may have completed the operation since. */
  async #lost(claim: Claim): Promise<ClaimLostError> {
    this.#close(claim);
    const { key, tool, fingerprint } = claim;
    const completed = await this.#tab.link
      .ask<{ readonly output: unknown } | null>((remote) =>
        remote.completed({ key, tool, fingerprint }),
      )
      .catch(() => null);
    return new ClaimLostError(completed ? { value: completed.output } : undefined);
  }

  /** A grant that came after its caller had left. */
  #giveBack(key: string, begun: Begun): void {
    if (begun.state === "completed") return;
    const options = { signal: new AbortController().signal, fence: begun.fence };
    const given = begun.state === "fresh" ? this.release(key, options) : this.abandon(key, options);
    given.catch(() => {});
  }

  #close(claim: Claim): void {
    this.#tab.claims.remove(claim);
    this.#tab.presence.release(claim.holding);
  }
}

/** What names the claim on the wire. */
export const messageOf = ({ key, tool, fingerprint, call, fence }: Claim) => ({
  key,
  tool,
  fingerprint,
  call,
  fence,
});
