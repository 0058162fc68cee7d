import type { Check } from "./run-checks.js";
import type { StoreWorld } from "./store-world.js";

/** One statement of the store contract. */
export type StoreCheck = Check<StoreWorld>;
