import { ClaimLostError } from "../src/errors.js";
import type { Claim } from "./claim.js";

/** The tab's open claims. */
export class Claims {
  readonly #open = new Map<number, Claim>();

  get size(): number {
    return this.#open.size;
  }

  /** A call of this tab owns the key. */
  has(key: string): boolean {
    return Array.from(this.#open.values()).some(({ name }) => name.key === key);
  }

  add(claim: Claim): void {
    this.#open.set(claim.name.fence, claim);
  }

  remove(claim: Claim): void {
    this.#open.delete(claim.name.fence);
  }

  /**
   * The open claim on `key`: the one with this fence or, for callers that pass none, the only one.
   * @throws {ClaimLostError} if there is none: it was settled before, or never made.
   */
  find(key: string, fence: number | undefined): Claim {
    const claim =
      fence === undefined
        ? Array.from(this.#open.values()).find(({ name }) => name.key === key)
        : this.#open.get(fence);
    if (claim?.name.key !== key) throw new ClaimLostError();
    return claim;
  }
}
