import type {
  IdempotencyStore,
  OperationJournal,
  Profile,
  ProfileActivity,
} from "../src/contracts.js";
import type { ProfileOperations } from "../src/operations.js";
import { missing } from "../src/uncoordinated.js";
import { namesOf } from "../worker/names.js";
import type { Terms } from "../worker/protocol.js";
import { TabActivity } from "./activity.js";
import { Changes } from "./changes.js";
import type { Claim } from "./claim.js";
import { Claims } from "./claims.js";
import { type Codec, Coder } from "./codec.js";
import { Coordination } from "./coordination.js";
import { disposed } from "./failures.js";
import { healthOf, type ProfileHealth } from "./health.js";
import { ProfileJournal } from "./journal.js";
import { again, Link } from "./link.js";
import type { ProfileMode } from "./mode.js";
import { TabOperations } from "./operations.js";
import { browserPlatform, type Platform } from "./platform.js";
import { Presence } from "./presence.js";
import { ProfileStore } from "./store.js";
import { termsOf } from "./terms.js";

/** What a profile is made of; see `connectProfile`. */
export interface ProfileSettings {
  readonly namespace: string;
  /** Default: those of `connectProfile` without options. */
  readonly terms?: Terms;
  readonly helloTimeoutMs: number;
  /** Makes the worker of this name. */
  readonly worker: (name: string) => SharedWorker;
  readonly codec?: Codec | undefined;
  /** Default: this page's browser. */
  readonly platform?: Platform;
}

/** One tab's part in its browser profile. */
export class ConnectedProfile implements Profile {
  readonly idempotency: IdempotencyStore;
  readonly journal: OperationJournal;
  readonly activity: ProfileActivity;
  readonly operations: ProfileOperations;
  readonly #link: Link;
  readonly #presence: Presence;
  readonly #claims = new Claims();
  /** What is tried again, and keeps the connection of a profile that was disposed. */
  readonly #background = new Set<Promise<void>>();
  readonly #listening = new AbortController();
  readonly #disposing = new AbortController();
  readonly #unusable: string | undefined;
  readonly #health: () => Promise<ProfileHealth>;
  #mode: ProfileMode;

  constructor(settings: ProfileSettings) {
    const {
      namespace,
      terms = termsOf({}),
      helloTimeoutMs,
      worker,
      codec,
      platform = browserPlatform(),
    } = settings;
    const { clock, newId, events, channel, sharedWorker, startInPage } = platform;
    this.#unusable = missingFeature(platform);
    this.#mode = this.#unusable ? "unavailable" : "idle";
    const names = namesOf(namespace);
    // Where they are missing, nothing gets as far as to use them.
    const locks = platform.locks as LockManager;
    const coordination = new Coordination({
      ...{ worker, namespace, terms, helloTimeoutMs, clock, newId, sharedWorker, startInPage },
    });
    this.#link = new Link({
      ...{ coordination, locks, clock },
      instanceLock: names.instance,
      connected: ({ inPage }) => {
        this.#mode = inPage ? "local" : "shared";
      },
      busy: () => this.#presence.busy,
      rested: () => this.#rest(),
      lost: () => {
        if (this.#mode === "shared") this.#mode = "idle";
        this.#presence.renew();
      },
    });
    this.#presence = new Presence({
      ...{ locks, clock, newId },
      lockName: names.client,
      idle: () => this.#rest(),
    });
    const tab = {
      link: this.#link,
      presence: this.#presence,
      claims: this.#claims,
      clock,
      newId,
      coder: new Coder(codec),
      forget: (claim: Claim) => this.#claims.remove(claim),
      inBackground: (work: Promise<void>) => this.#inBackground(work),
      rest: () => this.#rest(),
      usable: () => this.#requireUsable(),
    };
    this.#followCache(events);
    this.activity = new TabActivity({
      ...{ clock, events, locks: platform.locks, lockName: names.tab, tab: newId() },
      channel: channel && (() => channel(names.activity)),
      signal: this.#listening.signal,
    });
    this.idempotency = new ProfileStore(tab);
    this.journal = new ProfileJournal(tab, namespace, this.idempotency);
    this.operations = new TabOperations({
      ...tab,
      changes: new Changes({ link: this.#link, clock, events, signal: this.#disposing.signal }),
    });
    this.#health = () =>
      healthOf({
        ...tab,
        mode: () => this.#mode,
        durability: terms.durability,
        storage: platform.storage,
      });
  }

  /** How calls are coordinated right now. */
  get mode(): ProfileMode {
    return this.#mode;
  }

  /** Connects now rather than with the first idempotent call. Rejects with `CoordinationUnavailableError`. */
  async ready(): Promise<void> {
    this.#requireUsable();
    await again(async () => {
      await this.#link.awake();
      await this.#link.connected();
    });
    this.#rest();
  }

  /** How the profile, its worker and its storage are. */
  health(): Promise<ProfileHealth> {
    return this.#health();
  }

  /** Refuses new calls, and lets the worker go once the open ones are settled. */
  close(): void {
    this.#disposing.abort();
    this.#presence.renew();
    this.#rest();
  }

  /** The back/forward cache takes the page, and gives it back. */
  #followCache(events: EventTarget | undefined): void {
    const { signal } = this.#listening;
    const whenCached = (task: () => void) => (event: Event) => {
      if ((event as PageTransitionEvent).persisted) task();
    };
    const freeze = whenCached(() => {
      this.#presence.renew();
      this.#link.freeze(this.#presence.ids);
    });
    const thaw = whenCached(() => {
      // WebKit takes the locks of cached pages: whoever returns may have been taken for dead.
      this.#presence.loseAll();
      this.#link.thaw();
    });
    events?.addEventListener("pagehide", freeze, { signal });
    events?.addEventListener("pageshow", thaw, { signal });
  }

  #inBackground(work: Promise<void>): void {
    this.#background.add(work);
    work.finally(() => {
      this.#background.delete(work);
      this.#rest();
    });
  }

  /** Something has ended: lets go of what nothing needs any more. */
  #rest(): void {
    this.#link.rest();
    const open =
      this.#presence.busy ||
      this.#link.pending ||
      this.#claims.size > 0 ||
      this.#background.size > 0;
    if (!this.#disposing.signal.aborted || open) return;
    this.#listening.abort();
    this.#link.close();
  }

  #requireUsable(): void {
    if (this.#unusable) throw missing(this.#unusable);
    if (this.#disposing.signal.aborted) throw disposed();
  }
}

function missingFeature({ locks, indexedDB }: Platform): string | undefined {
  if (!indexedDB) return "IndexedDB";
  if (!locks) return "Web Locks";
  return undefined;
}
