import { ClaimLostError } from "../../src/index.js";
import { Owned } from "./ends.js";
import { type Grant, Ledger } from "./ledger.js";
import type { Row } from "./rows.js";
import type { Answer, Idempotent, Place, Scenario } from "./scenario.js";

/** A call in the model: its scenario, what has happened so far, and the rows of the failure table that it met. */
export class ModelCall {
  readonly ledger: Ledger;
  readonly rows: Row[] = [];

  constructor(readonly scenario: Scenario) {
    this.ledger = new Ledger(scenario);
  }

  /** Asks a hook for its word. One that is absent says yes; who has left does not hear the answer. */
  ask(place: Place, answer: Answer | "absent" | "fine"): boolean {
    if (answer === "absent") return true;
    this.ledger.reach(place);
    if (answer === "hangs") this.ledger.leave();
    this.goOnUnlessLeft();
    if (answer === "throws") throw this.ledger.error(place);
    return answer === "yes" || answer === "fine";
  }

  /** Stages 4 and 7. */
  confirm(): void {
    const { scenario, ledger } = this;
    if (scenario.confirm === "absent") return;
    ledger.stage("confirmation_requested");
    if (!this.ask("confirm", scenario.confirm)) {
      ledger.stage("declined");
      throw new Owned("confirmation_declined");
    }
    ledger.stage("confirmed");
  }

  goOnUnlessLeft(): void {
    if (this.ledger.end.aborted) throw this.ledger.end.reason;
  }
}

/** A call that owns its key. */
export class Claim {
  readonly fence: number;
  /** The effect is known to have happened: a handler returned, or recovery said so. */
  executed: boolean;
  /** The store has said that the claim is another owner's: nothing of it is this call's to clear. */
  refused = false;

  constructor(
    readonly call: ModelCall,
    readonly tool: Idempotent,
    { fence, executed }: Grant,
  ) {
    this.fence = fence;
    this.executed = executed && tool.store === "full";
  }

  /** Proven not executed: the key is free again. If that fails, doubt is better than a key that a live tab keeps. */
  release(): void {
    const { ledger } = this.call;
    this.#cleanUp(() => {
      try {
        ledger.release(this.fence);
      } catch (error) {
        this.#tryToAbandon();
        throw error;
      }
    });
  }

  /** The key is left in doubt. */
  abandon(): void {
    const { executed, fence } = this;
    this.#cleanUp(() => this.call.ledger.abandon(fence, { executed }));
  }

  /** A profile's entry ends with its claim; elsewhere it has to be removed, unless it is known to be another owner's. */
  removeEntry(): void {
    const { ledger } = this.call;
    if (this.tool.journal !== "joined" && !ledger.lost.signal.aborted) ledger.removeEntry();
  }

  #tryToAbandon(): void {
    try {
      this.call.ledger.abandon(this.fence, { executed: false });
    } catch {}
  }

  /** A storage failure while another error is handled goes to observers; what another owner completed is no failure. */
  #cleanUp(settle: () => void): void {
    try {
      settle();
    } catch (error) {
      this.call.ledger.stage("cleanup_failed");
      if (error instanceof ClaimLostError && error.completed) throw error;
    }
  }
}
