import type { Profile } from "../contracts.js";

/** The profile that an Inspector shows: what `connectProfile()` gives, or a test profile. */
export type InspectedProfile = Profile & {
  /** How calls are coordinated right now. */
  readonly mode?: string;
  ready?(): Promise<void>;
};
