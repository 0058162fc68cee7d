/** How the tabs of this profile are coordinated. */
export type ProfileMode =
  /** Not connected yet. */
  | "idle"
  /** By a SharedWorker. */
  | "shared"
  /** This tab coordinates its own calls, because there is no SharedWorker or its script can't run. Tabs still converge. */
  | "local"
  /** Not at all: the page has no IndexedDB or no Web Locks. Idempotent calls are refused. */
  | "unavailable";
