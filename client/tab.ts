import type { ClaimSurroundings } from "./claim.js";
import type { Claims } from "./claims.js";

/** What a profile's store and journal share. */
export interface Tab extends ClaimSurroundings {
  readonly claims: Claims;
  readonly newId: () => string;
  /** Rejects, before any effect, where calls can't be coordinated. */
  readonly usable: () => void;
}
