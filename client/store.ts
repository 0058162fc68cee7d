import type {
  AbandonOptions,
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../src/errors.js";
import { OperationPurgedError, recoveryPostponed } from "../src/operation-errors.js";
import { notCoordinated } from "../src/uncoordinated.js";
import type { Granted } from "../worker/protocol.js";
import { type BeginCall, beginCall } from "./begin.js";
import { Claim } from "./claim.js";
import { warnOfOwnWait } from "./own-wait.js";
import type { Holding } from "./presence.js";
import type { Tab } from "./tab.js";

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
    let call: BeginCall | undefined;
    const issue = () => {
      const giveBack = (id: string, granted: Granted, holding: Holding) =>
        this.#claim(key, options, id, granted, holding).giveBack(granted);
      const { tool = "" } = options;
      const onWait = () => {
        if (this.#tab.claims.has(key)) warnOfOwnWait(tool, key);
        options.onWait?.();
      };
      call = beginCall({ ...this.#tab, giveBack }, key, { ...options, onWait });
      return call;
    };
    return await new Promise<Begun>((resolve, reject) => {
      const leave = () => {
        call?.leave();
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#obtain(key, options, issue)
        .then((begun) => (signal.aborted ? this.#giveBack(key, begun) : resolve(begun)))
        .catch(reject)
        .finally(() => signal.removeEventListener("abort", leave));
    });
  }

  async start(key: string, { fence, fresh = false, journalKey }: StartOptions): Promise<void> {
    await this.#tab.claims.find(key, fence).start({ fresh, journalKey });
  }

  async complete(key: string, value: unknown, { fence }: ClaimOptions): Promise<void> {
    await this.#tab.claims.find(key, fence).complete(value);
  }

  async release(key: string, { fence }: ClaimOptions): Promise<void> {
    await this.#tab.claims.find(key, fence).release();
  }

  async abandon(key: string, { fence, executed = false }: AbandonOptions): Promise<void> {
    await this.#tab.claims.find(key, fence).abandon({ executed });
  }

  async #obtain(key: string, options: BeginOptions, issue: () => BeginCall): Promise<Begun> {
    for (;;) {
      const call = issue();
      const { answer, holding } = await call.answer;
      if (answer.state === "granted") {
        const claim = this.#claim(key, options, call.id, answer, holding);
        if (answer.takeover || (await this.#isStarted(claim, options, answer))) {
          return begunOf(answer, holding);
        }
        // The key was handed over and lost before it was started, so nothing was executed: the call waits again.
        options.signal.throwIfAborted();
        continue;
      }
      this.#tab.presence.release(holding);
      switch (answer.state) {
        case "completed": {
          const opened = await this.#tab.coder.opened(answer);
          if (opened) return { state: "completed", ...opened };
          // Nobody can tell the output but the authority: the call recovers it.
          if (await this.#tab.link.ask((remote) => remote.unreadable(key, answer.fence))) {
            throw new OperationPurgedError();
          }
          options.signal.throwIfAborted();
          continue;
        }
        case "conflict":
          throw new IdempotencyConflictError(answer.reason);
        case "postponed":
          throw recoveryPostponed(answer);
        case "purged":
          throw new OperationPurgedError();
        case "superseded":
        case "dropped":
          // The caller has left, or a newer issue of this call was answered: nobody waits here.
          throw new ClaimLostError();
        default:
          return answer satisfies never;
      }
    }
  }

  #claim(
    key: string,
    { tool = "", fingerprint }: BeginOptions,
    call: string,
    { fence }: Granted,
    holding: Holding,
  ): Claim {
    const claim = new Claim(this.#tab, { key, tool, fingerprint, call, fence }, holding);
    this.#tab.claims.add(claim);
    return claim;
  }

  /** A waiter is handed its key reserved; whoever did not ask for that wants it started. */
  async #isStarted(
    claim: Claim,
    { reserve = false, journalKey }: BeginOptions,
    { phase }: Granted,
  ): Promise<boolean> {
    if (phase === "started" || reserve) return true;
    try {
      await claim.start({ fresh: false, journalKey });
      return true;
    } catch (error) {
      if (error instanceof ClaimLostError) return false;
      await claim.giveBack({ takeover: false });
      throw notCoordinated(error);
    }
  }

  /** A grant that came after its caller had left. */
  async #giveBack(key: string, begun: Begun): Promise<void> {
    if (begun.state === "completed") return;
    const claim = this.#tab.claims.find(key, begun.fence);
    await claim.giveBack({ takeover: begun.state === "in_flight" });
  }
}

/** What a caller is told of its grant. */
function begunOf(granted: Granted, { lost }: Holding): Begun {
  const { fence, takeover, executed, journalKey = null } = granted;
  return takeover
    ? { state: "in_flight", fence, lost, executed, journalKey }
    : { state: "fresh", fence, lost };
}
