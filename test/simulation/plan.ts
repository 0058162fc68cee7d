import type { Moment } from "../../src/testing/profile/database.js";

export const KEYS = ["a", "b"] as const;
export type Key = (typeof KEYS)[number];

/** One call of a tool, and how the tool behaves in it. */
export interface CallStep {
  readonly do: "call";
  readonly tab: number;
  readonly key: Key;
  /** What the caller means. Equal keys of another intent conflict. */
  readonly intent: "first" | "second";
  readonly confirm: "unasked" | "yes" | "no";
  readonly handler: Handler;
  /** The profile's, or one of the tab's own. */
  readonly journal: "shared" | "own";
  /** By the entry that the handler wrote or, where it wrote none or none that can be read, by the key. */
  readonly recover: "asks" | "asks by key" | "absent" | "unknown" | "throws";
  readonly verify: "unasked" | "yes" | "no";
  /** How long the caller waits for another owner. */
  readonly patienceMs: number;
  /** How many turns each of its hooks takes, and how many milliseconds its handler and its recovery. */
  readonly turns: number;
  readonly handlerMs: number;
}

type Handler =
  | "returns"
  | "throws first"
  | "throws when written"
  | "throws when done"
  /** The server refused: the handler removes its entry and throws. */
  | "is refused"
  | "returns no data"
  /** It writes no journal. Only where no tab dies: an effect that nobody can find would be its own fault. */
  | "returns without a trace"
  /** It does not wait for its journal's write. Only where no tab dies: it would be its own fault. */
  | "throws when done, in haste";

export type StorageError = "full" | "closed" | "broken";

/** What somebody asks about the operations as a whole, in a tab. */
export type AdministrationStep =
  | {
      readonly do: "purge";
      readonly tab: number;
      readonly keys: Key | "all";
      readonly inDoubt: boolean;
    }
  /** A truthful reviewer says, after so many milliseconds, what has become of the key's operation. */
  | { readonly do: "review"; readonly tab: number; readonly key: Key; readonly thinksMs: number }
  /** Lists the operations, so many a page, and asks for each. */
  | { readonly do: "look"; readonly tab: number; readonly limit: number };

/** On what terms a tab connects its profile. */
export interface Connecting {
  readonly durability: "strict" | "relaxed";
  readonly completedMs: number;
  readonly maxCompleted: number;
  /** `lost`: its codec has another key than those of the other tabs, and reads nothing of theirs. */
  readonly codec: "none" | "own" | "lost";
}

/** What happens next. Tabs, calls and lanes are named by number; one that is not there is passed over. */
export type Happening =
  | CallStep
  | AdministrationStep
  | { readonly do: "caller leaves"; readonly call: number }
  /** The application lets go of its profile. */
  | { readonly do: "profile is disposed"; readonly tab: number }
  | {
      readonly do: "tab crashes" | "tab is reloaded" | "tab freezes" | "tab thaws";
      readonly tab: number;
    }
  /** To the back/forward cache. WebKit takes a cached page's locks. */
  | { readonly do: "tab is cached"; readonly tab: number; readonly locks: "kept" | "taken" }
  | { readonly do: "tab comes back"; readonly tab: number }
  /** Whoever works on the key right now. */
  | { readonly do: "owner is reloaded"; readonly key: Key }
  | { readonly do: "worker is killed" | "worker is run again" | "power is cut" }
  | { readonly do: "worker hangs" | "worker goes on"; readonly worker: number }
  | { readonly do: "message is delayed"; readonly lane: number; readonly steps: number }
  | { readonly do: "channel loses messages" | "channel works" }
  | {
      readonly do: "storage fails";
      readonly moment: Moment;
      readonly error: StorageError;
      /** How many such moments pass before, and how many fail. */
      readonly skip: number;
      readonly times: number;
    }
  | { readonly do: "time passes" | "clock jumps"; readonly ms: number };

/** `after`: how many steps of the schedule come before it. */
export type Step = Happening & { readonly after: number };

/** One life of a browser profile: with its seed it says everything that happens. */
export interface Plan {
  readonly seed: number;
  readonly tabs: number;
  /** The worker's script in each tab, over and over: another build has another, and `null` is a browser without SharedWorker. */
  readonly scripts: readonly (string | null)[];
  /** How each tab connects, over and over. The first can read what the others write, but for those whose key is lost. */
  readonly profiles: readonly Connecting[];
  /** Workers that hang go on when the faults stop, or never. */
  readonly hang: "for a while" | "for ever";
  readonly steps: readonly Step[];
}

/** A call that nothing is wrong with. */
export const CALM_CALL: Omit<CallStep, "key" | "intent"> = {
  do: "call",
  tab: 0,
  confirm: "unasked",
  handler: "returns",
  journal: "shared",
  recover: "asks",
  verify: "unasked",
  patienceMs: 120_000,
  turns: 0,
  handlerMs: 0,
};
