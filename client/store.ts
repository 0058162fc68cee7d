import type {
  AbandonOptions,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../src/errors.js";
import { notCoordinated } from "../src/uncoordinated.js";
import type { CoordinatorApi, Granted, Reply, SettleAnswer } from "../worker/protocol.js";
import { type BeginCall, beginCall } from "./begin.js";
import type { Claim, Claims } from "./claims.js";
import type { Link } from "./link.js";
import { persist } from "./persist.js";
import type { Holding, Presence } from "./presence.js";

type Settle = (remote: CoordinatorApi) => Promise<Reply<SettleAnswer>>;

const abandoning =
  (claim: Claim, executed: boolean): Settle =>
  (remote) =>
    remote.abandon(messageOf(claim), { executed });

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
    const giveBack = async (id: string, granted: Granted, holding: Holding) => {
      await this.#giveBack(this.#claim(key, options, id, granted, holding), granted.takeover);
    };
    const call = beginCall({ ...this.#tab, giveBack }, key, options);
    return await new Promise<Begun>((resolve, reject) => {
      const leave = () => {
        call.leave();
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#obtain(key, options, call).then(
        (begun) => {
          signal.removeEventListener("abort", leave);
          if (!signal.aborted) resolve(begun);
          else if (begun.state !== "completed") {
            const claim = this.#tab.claims.find(key, begun.fence);
            void this.#giveBack(claim, begun.state === "in_flight");
          }
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
    if (claim.holding.lost.aborted) {
      // The handler has returned, and whoever recovers must know.
      await this.#tell(abandoning(claim, true));
      throw await this.#lost(claim);
    }
    // A storage failure leaves the claim open, so that it can be abandoned.
    const answer = await this.#tab.link.ask<SettleAnswer>((remote) =>
      remote.complete(messageOf(claim), value),
    );
    this.#close(claim);
    if (answer.state === "lost") {
      const { completed } = answer;
      throw new ClaimLostError(completed && { value: completed.output });
    }
  }

  async release(key: string, { fence }: ClaimOptions): Promise<void> {
    const claim = this.#tab.claims.find(key, fence);
    await this.#end(claim, (remote) => remote.release(messageOf(claim)));
  }

  async abandon(key: string, { fence, executed = false }: AbandonOptions): Promise<void> {
    const claim = this.#tab.claims.find(key, fence);
    const abandon = abandoning(claim, executed);
    if (claim.holding.lost.aborted) await this.#tell(abandon);
    await this.#end(claim, abandon);
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

  #claim(
    key: string,
    { tool = "", fingerprint }: BeginOptions,
    call: string,
    { fence }: Granted,
    holding: Holding,
  ): Claim {
    const claim = { key, tool, fingerprint, call, fence, holding };
    this.#tab.claims.add(claim);
    return claim;
  }

  async #own(
    key: string,
    options: BeginOptions,
    { id }: BeginCall,
    granted: Granted,
    holding: Holding,
  ): Promise<Begun> {
    const claim = this.#claim(key, options, id, granted, holding);
    const { lost } = holding;
    const { fence, phase, executed } = granted;
    if (granted.takeover) {
      const { journalKey = null } = granted;
      return { state: "in_flight", fence, lost, executed, journalKey };
    }
    const { reserve = false, journalKey } = options;
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
    if (claim.holding.lost.aborted) throw await this.#lost(claim);
    const answer = await this.#tab.link.ask<SettleAnswer>((remote) =>
      remote.start(messageOf(claim), options),
    );
    if (answer.state === "lost") throw await this.#lost(claim);
  }

  /** Ends a claim without an output. */
  async #end(claim: Claim, settle: Settle): Promise<void> {
    if (claim.holding.lost.aborted) throw await this.#lost(claim);
    let answer: SettleAnswer;
    try {
      answer = await this.#tab.link.ask(settle);
    } catch (error) {
      this.#endLater(claim, settle);
      throw error;
    }
    if (answer.state === "lost") throw await this.#lost(claim);
    this.#close(claim);
  }

  /**
   * The settlement could not be stored. The lock is kept, and new calls take another one, until it is: the tab's death
   * would say that the outcome is unknown, but not that the handler had returned.
   */
  async #endLater(claim: Claim, settle: Settle): Promise<void> {
    const { link, presence, claims } = this.#tab;
    claims.remove(claim);
    presence.renew();
    await persist(
      () => link.ask(settle),
      () => !claim.holding.lost.aborted,
    );
    presence.release(claim.holding);
  }

  /** Best effort, for a claim that others may have buried already. */
  async #tell(settle: Settle): Promise<void> {
    await this.#tab.link.ask(settle).catch(() => {});
  }

  /** This tab was taken for dead. Somebody else may have completed the operation since. */
  async #lost(claim: Claim): Promise<ClaimLostError> {
    const { key, tool, fingerprint } = claim;
    const completed = await this.#tab.link
      .ask<{ readonly output: unknown } | null>((remote) =>
        remote.completed({ key, tool, fingerprint }),
      )
      .catch(() => null);
    this.#close(claim);
    return new ClaimLostError(completed ? { value: completed.output } : undefined);
  }

  /** A grant that came after its caller had left. What fails is tried again until it is stored. */
  async #giveBack(claim: Claim, takeover: boolean): Promise<void> {
    const settle: Settle = takeover
      ? abandoning(claim, false)
      : (remote) => remote.release(messageOf(claim));
    await this.#end(claim, settle).catch(() => {});
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
