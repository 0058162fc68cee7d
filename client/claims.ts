import { ClaimLostError } from "../src/errors.js";
import type { Holding } from "./presence.js";

/** A claim that this tab has and has not settled. */
export interface Claim {
  readonly key: string;
  readonly tool: string;
  readonly fingerprint: string | undefined;
  readonly call: string;
  readonly fence: number;
  /** The sign of life under which it was claimed. */
  readonly holding: Holding;
}

/** The tab's open claims. */
export class Claims {
  readonly #open = new Map<number, Claim>();

  add(claim: Claim): void {
    this.#open.set(claim.fence, claim);
  }

  remove(claim: Claim): void {
    this.#open.delete(claim.fence);
  }

  /**
   * The open claim on `key`: the one with this fence or, for callers that pass none, the only one.
   * @throws {ClaimLostError} if there is none: it was settled before, or never made.
   */
  find(key: string, fence: number | undefined): Claim {
    const claim =
      fence === undefined
        ? Array.from(this.#open.values()).find((open) => open.key === key)
        : this.#open.get(fence);
    if (claim?.key !== key) throw new ClaimLostError();
    return claim;
  }
}
