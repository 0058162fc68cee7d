import type { OwnedClaim } from "../stores/records.js";
import { FrozenOwners } from "./frozen.js";
import { Watches } from "./watches.js";

/** What {@link Owners} needs from its coordinator. */
export interface OwnersOptions {
  readonly locks: LockManager;
  readonly lockName: (owner: string) => string;
  /** Called when an owner is gone, with the claims that it was known to have. */
  readonly died: (owner: string, claims: Iterable<OwnedClaim>) => void;
}

/** Who is known to own something, whether they live, and whose page is in the back/forward cache. */
export class Owners {
  readonly #watches: Watches;
  readonly #frozen: FrozenOwners;
  /** Claims met so far, by owner: what to bury when the owner dies. */
  readonly #claims = new Map<string, Map<number, OwnedClaim>>();

  constructor({ locks, lockName, died }: OwnersOptions) {
    this.#frozen = new FrozenOwners(locks);
    this.#watches = new Watches({
      locks,
      lockName,
      died: (owner) => {
        const claims = this.#claims.get(owner)?.values() ?? [];
        this.#claims.delete(owner);
        this.#frozen.remove(owner);
        died(owner, claims);
      },
    });
  }

  /** Makes sure that the owner's death is being waited for. */
  watch(owner: string): void {
    this.#watches.watch(owner);
  }

  /** A claim was read or made; answers `true` for a new one whose owner was not being watched. */
  meet(claim: OwnedClaim): boolean {
    const isNew = this.remember(claim);
    return this.#watches.watch(claim.owner) && isNew;
  }

  /** Keeps a claim for its owner's death; answers whether it was not known. */
  remember(claim: OwnedClaim): boolean {
    const claims = this.#claims.get(claim.owner) ?? new Map<number, OwnedClaim>();
    const isNew = !claims.has(claim.fence);
    this.#claims.set(claim.owner, claims.set(claim.fence, claim));
    return isNew;
  }

  /** The claim was settled. */
  forget(fence: number): void {
    for (const claims of this.#claims.values()) claims.delete(fence);
  }

  /** Whether the claim's owner lives right now. A death that is found here is told as any other. */
  isAlive(claim: OwnedClaim): Promise<boolean> {
    this.remember(claim);
    return this.#watches.isAlive(claim.owner);
  }

  /** Whose death is not being waited for needs no memory: waiting for a frozen page's lock makes the browser evict it. */
  freeze(owners: readonly string[]): void {
    for (const owner of owners) if (this.#watches.watches(owner)) this.#frozen.add(owner);
  }

  /** Somebody waits for a key of this owner. */
  isWaitedFor(owner: string): void {
    this.#frozen.isWaitedFor(owner);
  }

  /** Waits for nobody any more. */
  close(): void {
    this.#watches.close();
  }
}
