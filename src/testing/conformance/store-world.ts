import type { IdempotencyStore } from "../../contracts.js";
import type { Deadline } from "./deadline.js";
import { expectRejection, lacking } from "./expectations.js";
import { Call, type CallOptions, type Claim } from "./store-calls.js";

/** Stores that share one space, as the tabs of one browser profile do. */
export interface StoreSpace<Store extends IdempotencyStore = IdempotencyStore> {
  /** Opens the store as one more tab sees it. */
  open(): Promise<Store> | Store;
  /**
   * Ends a tab as a crash does, without a word to the store. Resolves when the crash has happened; noticing it is the other
   * tabs' work. Absent: what needs a crash is skipped.
   */
  crash?(store: Store): Promise<void> | void;
  /** Ends what the space holds. */
  close?(): Promise<void> | void;
}

/** What all checks of one run know about the store. */
export interface StoreTraits {
  readonly deadline: Deadline;
  /** The store calls `onWait`. */
  readonly notices: boolean;
}

/** One tab. */
export class Tab {
  readonly label: string;
  readonly store: IdempotencyStore;
  readonly deadline: Deadline;
  readonly #notices: boolean;
  readonly #calls: Call[] = [];

  constructor(label: string, store: IdempotencyStore, { deadline, notices }: StoreTraits) {
    this.label = label;
    this.store = store;
    this.deadline = deadline;
    this.#notices = notices;
  }

  /** Asks for a key and goes on. */
  call(key: string, options?: CallOptions): Call {
    const call = new Call(this, key, options);
    this.#calls.push(call);
    return call;
  }

  /** Asks for a key that has an owner. Resolves when the call waits, as far as the store tells. */
  async wait(key: string): Promise<Call> {
    const call = this.call(key);
    if (this.#notices) await call.waits();
    return call;
  }

  /** Asks for a key and is given it, free of doubt. */
  own(key: string, options?: CallOptions): Promise<Claim> {
    return this.call(key, options).fresh();
  }

  /** Asks for a key and is given it, in doubt. */
  takeOver(key: string, options?: CallOptions): Promise<Claim> {
    return this.call(key, options).inDoubt();
  }

  /** Every way to settle `key` must be refused: this tab has no such claim. */
  async refusesSettling(key: string, situation: string, fence?: number): Promise<void> {
    const { store } = this;
    const options = {
      signal: new AbortController().signal,
      ...(fence === undefined ? {} : { fence }),
    };
    const settlements: [verb: string, settle: () => Promise<void>][] = [
      ["complete", () => store.complete(key, "nobody's output", options)],
      ["release", () => store.release(key, options)],
      ["abandon", () => store.abandon(key, options)],
    ];
    const start = store.start?.bind(store);
    if (start) settlements.unshift(["start", () => start(key, options)]);
    for (const [verb, settle] of settlements) {
      const what = `${verb} ${situation}`;
      await this.deadline.within(expectRejection(settle, what), what);
    }
  }

  /** Leaves no call and no claim open. */
  async close(): Promise<void> {
    for (const call of this.#calls) {
      call.leave(new DOMException("The check is over.", "AbortError"));
      if (call.claim?.open) await call.claim.abandon().catch(() => {});
    }
  }
}

/** One space, its tabs, and what happens to them. */
export class StoreWorld<Store extends IdempotencyStore = IdempotencyStore> {
  readonly #space: StoreSpace<Store>;
  readonly #traits: StoreTraits;
  readonly #alive = new Map<Tab, Store>();
  #opened = 0;

  constructor(space: StoreSpace<Store>, traits: StoreTraits) {
    this.#space = space;
    this.#traits = traits;
  }

  /** Whether waiting calls are told so. */
  get notices(): boolean {
    return this.#traits.notices;
  }

  /** Opens three tabs: enough for an owner and two that compete. */
  async tabs(): Promise<readonly [Tab, Tab, Tab]> {
    return [await this.tab(), await this.tab(), await this.tab()];
  }

  /** Opens one more tab. */
  async tab(): Promise<Tab> {
    const label = `tab ${++this.#opened}`;
    const { deadline } = this.#traits;
    const store = await deadline.within(this.#space.open(), `opening ${label}`);
    const tab = new Tab(label, store, this.#traits);
    this.#alive.set(tab, store);
    return tab;
  }

  /** @throws {Lacking} when the space can't crash a tab. */
  async crash(tab: Tab): Promise<void> {
    const store = this.#alive.get(tab);
    if (!this.#space.crash || !store) lacking("its space has no `crash`");
    this.#alive.delete(tab);
    await this.#traits.deadline.within(this.#space.crash(store), `crashing ${tab.label}`);
  }

  /** Leaves nothing open behind a check, however it ended. */
  async close(): Promise<void> {
    for (const tab of this.#alive.keys()) await tab.close();
    await this.#space.close?.();
  }
}
