import type { Profile } from "../contracts.js";
import type { OperationState, ProfileOperations } from "../operations.js";

/** What the Inspector shows of a profile's health: see `ProfileHealth` of `signett/client`. */
export interface InspectedHealth {
  readonly worker?: { readonly instance: string; readonly build: string };
  readonly durability: "strict" | "relaxed";
  readonly counts?: Readonly<Record<OperationState, number>>;
  readonly usage?: number;
  readonly quota?: number;
  readonly persisted?: boolean;
  readonly lastStorageError?: {
    readonly name: string;
    readonly message: string;
    readonly at: number;
  };
  readonly problem?: string;
}

/**
 * The profile that an Inspector shows: what `connectProfile()` gives. Of one that tells less, such as stores of one's own, less
 * is shown.
 */
export type InspectedProfile = Profile & {
  /** How calls are coordinated right now. */
  readonly mode?: string;
  readonly operations?: ProfileOperations;
  health?(): Promise<InspectedHealth>;
};
