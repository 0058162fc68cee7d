/**
 * `signett/client`: this tab's part in the browser profile.
 *
 * @module
 */
import type { Profile } from "../src/contracts.js";
import { type Disposing, disposing } from "../src/disposable.js";
import type {
  OperationInfo,
  OperationPage,
  OperationQuery,
  OperationResolution,
  OperationState,
  ProfileOperations,
  PurgeResult,
} from "../src/operations.js";
import { shared } from "../src/shared.js";
import type { Codec } from "./codec.js";
import { defaultWorker } from "./default-worker.js";
import type { ProfileHealth } from "./health.js";
import type { ProfileMode } from "./mode.js";
import { ConnectedProfile, type ProfileSettings } from "./profile.js";
import { type Retention, sameTerms, type TermsOptions, termsOf } from "./terms.js";

export type {
  Codec,
  OperationInfo,
  OperationPage,
  OperationQuery,
  OperationResolution,
  OperationState,
  Profile,
  ProfileHealth,
  ProfileMode,
  ProfileOperations,
  PurgeResult,
  Retention,
};

/** Options of {@link connectProfile}. */
export interface ProfileOptions extends TermsOptions {
  /**
   * The worker, for builds and policies in which the default can't find it: a function that makes it with the given name,
   * or a `SharedWorker`. Prefer the function: a worker that died is then started again, and one that hangs is replaced by
   * one of another name. Default: the `worker.js` beside the library. All tabs must name the same script, so `blob:` and
   * `data:` URLs are refused.
   */
  readonly worker?: SharedWorker | ((name: string) => SharedWorker);
  /** Profiles of different namespaces share nothing. 1 to 100 characters, nothing personal. Default `"signett"`. */
  readonly namespace?: string;
  /**
   * Encodes outputs and journal entries in the tab, to encrypt what is stored. All tabs must be able to read what one has
   * written. Default: none, stored as they are.
   */
  readonly codec?: Codec;
  /** How long the worker may take to answer the first message, in milliseconds. Default 5,000. */
  readonly helloTimeoutMs?: number;
}

/** The profile that all tabs of this origin share; pass it to `createSignett({ profile })`. */
export interface TabProfile extends Profile, Disposing {
  /** How calls are coordinated right now. */
  readonly mode: ProfileMode;
  /** What is stored for the profile's keys, of all tabs. */
  readonly operations: ProfileOperations;
  /**
   * Connects now rather than with the first idempotent call.
   * @throws {CoordinationUnavailableError} with what is missing, and what to do.
   */
  ready(): Promise<void>;
  /** How the profile is, for a monitor or a support request. It rejects for no reason. */
  health(): Promise<ProfileHealth>;
  /** Gives the profile back: the last one closes it, once its open operations are settled. */
  dispose(): void;
}

interface Entry {
  readonly profile: TabProfile;
  readonly options: ProfileOptions;
  users: number;
}

/** The document's open profiles: those of another copy of the library too. */
const profiles = () => shared().profiles as Map<string, Entry>;

/**
 * Connects this tab to the profile of its origin (design: "Beyond the seeds"). It starts nothing: `ready()` or the first
 * idempotent call does. A second call with the same namespace gives the same profile, which the last `dispose()` closes.
 *
 * @throws {TypeError} for options out of bounds, or that differ from those of a profile that is open.
 */
export function connectProfile(options: ProfileOptions = {}): TabProfile {
  const { namespace = "signett", helloTimeoutMs = 5_000 } = options;
  if (typeof namespace !== "string" || !/^\S(.{0,98}\S)?$/.test(namespace)) {
    throw new TypeError("connectProfile: `namespace` must be a text of 1 to 100 characters.");
  }
  if (!Number.isInteger(helloTimeoutMs) || helloTimeoutMs <= 0) {
    throw new TypeError("connectProfile: `helloTimeoutMs` must be a whole number above 0.");
  }
  const settings = { namespace, helloTimeoutMs, terms: termsOf(options) };
  const entry = profiles().get(namespace) ?? open(settings, options);
  if (differ(entry.options, options)) {
    throw new TypeError(
      `connectProfile: the profile "${namespace}" is already open in this page with other options.`,
    );
  }
  entry.users += 1;
  return entry.profile;
}

function open(settings: Omit<ProfileSettings, "worker">, options: ProfileOptions): Entry {
  const { namespace } = settings;
  const worker = factoryOf(options.worker);
  const connected = new ConnectedProfile({ ...settings, worker, codec: options.codec });
  const profile: TabProfile = disposing({
    idempotency: connected.idempotency,
    journal: connected.journal,
    activity: connected.activity,
    operations: connected.operations,
    get mode() {
      return connected.mode;
    },
    ready: () => connected.ready(),
    health: () => connected.health(),
    dispose() {
      entry.users -= 1;
      if (entry.users > 0 || profiles().get(namespace) !== entry) return;
      profiles().delete(namespace);
      connected.close();
    },
  });
  const entry: Entry = { profile, options, users: 0 };
  profiles().set(namespace, entry);
  return entry;
}

function factoryOf(worker: ProfileOptions["worker"]): (name: string) => SharedWorker {
  if (typeof worker === "function") return worker;
  if (!worker) return defaultWorker;
  let used = false;
  return () => {
    if (used)
      throw new Error("the `SharedWorker` that was given is lost; pass a function instead.");
    used = true;
    return worker;
  };
}

/** Functions and codecs are made anew by each render of a component, so only their presence is compared. */
function differ(a: ProfileOptions, b: ProfileOptions): boolean {
  const worker = ({ worker }: ProfileOptions) => (typeof worker === "function" ? "made" : worker);
  const helloTimeoutMs = ({ helloTimeoutMs = 5_000 }: ProfileOptions) => helloTimeoutMs;
  return (
    worker(a) !== worker(b) ||
    helloTimeoutMs(a) !== helloTimeoutMs(b) ||
    (a.codec === undefined) !== (b.codec === undefined) ||
    !sameTerms(termsOf(a), termsOf(b))
  );
}
