import { ClaimLostError } from "../../src/errors.js";
import type { ClaimRef, Intent } from "../records.js";
import type { HeldLock } from "./held-lock.js";

/** A claim that this tab has and has not settled. */
export interface Claim extends ClaimRef, Intent {
  /** The key's lock, held since before the claim. */
  readonly lock: HeldLock;
}

/** The open claims of one store. */
export class Claims {
  readonly #open = new Set<Claim>();

  add(claim: Claim): void {
    this.#open.add(claim);
  }

  /** The claim can't be settled any more by its caller; its lock stays. */
  remove(claim: Claim): void {
    this.#open.delete(claim);
  }

  /** The claim is settled or lost: whoever waits for its key goes on. */
  close(claim: Claim): void {
    this.remove(claim);
    claim.lock.release();
  }

  /**
   * The open claim on `key`: the one with this fence or, for callers that pass none, the only one.
   * @throws {ClaimLostError} if there is none: it was settled before, or never made.
   */
  find(key: string, fence: number | undefined): Claim {
    for (const claim of this.#open) {
      if (claim.key === key && (fence === undefined || claim.fence === fence)) return claim;
    }
    throw new ClaimLostError();
  }
}
