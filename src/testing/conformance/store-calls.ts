import type { AbandonOptions, BeginOptions, Begun, IdempotencyStore } from "../../contracts.js";
import type { Deadline } from "./deadline.js";
import { expectRejection, expectSame, fail, lacking } from "./expectations.js";

/** A tab's store, with what messages call the tab. */
export interface StoreOfTab {
  readonly label: string;
  readonly store: IdempotencyStore;
  readonly deadline: Deadline;
}

/** Options of a call that a check makes. */
export type CallOptions = Partial<BeginOptions>;

/** One call that asks for a key. It may be left pending. */
export class Call {
  readonly #tab: StoreOfTab;
  readonly #key: string;
  readonly #what: string;
  readonly #caller = new AbortController();
  readonly #begun: Promise<Begun>;
  #claim: Claim | undefined;
  #notices = 0;
  #noticed: () => void = () => {};
  readonly #notice = new Promise<void>((resolve) => {
    this.#noticed = resolve;
  });

  constructor(tab: StoreOfTab, key: string, options: CallOptions = {}) {
    this.#tab = tab;
    this.#key = key;
    this.#what = `begin(${JSON.stringify(key)}) in ${tab.label}`;
    const { signal } = this.#caller;
    const onWait = () => {
      this.#notices++;
      this.#noticed();
    };
    this.#begun = this.#begin({ signal, onWait, ...options });
    this.#begun.catch(() => {});
  }

  /** How often the store said that the call waits. */
  get notices(): number {
    return this.#notices;
  }

  /** Whether the call, which nobody has answered, was told in time that it waits. */
  async waits(): Promise<boolean> {
    await this.#tab.deadline.met(Promise.race([this.#notice, this.ended()]));
    return this.#notices > 0;
  }

  /** The claim that the call was given, if it has been given one. */
  get claim(): Claim | undefined {
    return this.#claim;
  }

  /** Settles with the call, and never rejects. */
  ended(): Promise<unknown> {
    return Promise.allSettled([this.#begun]);
  }

  /** The caller waits no longer. */
  leave(reason: unknown): void {
    this.#caller.abort(reason);
  }

  /** The call is given the key, free of doubt. */
  fresh(): Promise<Claim> {
    return this.#owned("fresh");
  }

  /** The call is given the key, in doubt. */
  inDoubt(): Promise<Claim> {
    return this.#owned("in_flight");
  }

  /** The call is given this stored output. */
  async replays(output: unknown): Promise<void> {
    const begun = await this.#answer();
    if (begun.state !== "completed") {
      fail(`${this.#what} gave "${begun.state}", not the stored output`);
    }
    expectSame(begun.value, output, `the output that ${this.#what} gave`);
  }

  /** The call is refused; gives the error. */
  refused(): Promise<unknown> {
    const rejection = expectRejection(() => this.#begun, this.#what);
    return this.#tab.deadline.within(rejection, this.#what);
  }

  async #owned(state: "fresh" | "in_flight"): Promise<Claim> {
    const begun = await this.#answer();
    if (begun.state !== state || !this.#claim) {
      fail(`${this.#what} gave "${begun.state}", not "${state}"`);
    }
    return this.#claim;
  }

  #answer(): Promise<Begun> {
    return this.#tab.deadline.within(this.#begun, this.#what);
  }

  async #begin(options: BeginOptions): Promise<Begun> {
    const begun = await this.#tab.store.begin(this.#key, options);
    if (begun.state !== "completed") this.#claim = new Claim(this.#tab, this.#key, begun);
    return begun;
  }
}

/** A claim that a call was given. */
export class Claim {
  readonly begun: Exclude<Begun, { state: "completed" }>;
  readonly #tab: StoreOfTab;
  readonly #key: string;
  #open = true;

  constructor(tab: StoreOfTab, key: string, begun: Claim["begun"]) {
    this.begun = begun;
    this.#tab = tab;
    this.#key = key;
  }

  /** The check has not settled it. */
  get open(): boolean {
    return this.#open;
  }

  /** @throws {Lacking} when the store gives none. */
  get fence(): number {
    const { fence } = this.begun;
    if (fence === undefined) lacking("it gives no fences");
    return fence;
  }

  /** @throws {Lacking} when the store has no reservations. */
  async start(options: { fresh?: boolean; journalKey?: string } = {}): Promise<void> {
    const { store } = this.#tab;
    if (!store.start) lacking("it has no `start`");
    await this.#within("start", store.start(this.#key, { ...this.#options(), ...options }));
  }

  async complete(output: unknown): Promise<void> {
    await this.#settle("complete", this.#tab.store.complete(this.#key, output, this.#options()));
  }

  async release(): Promise<void> {
    await this.#settle("release", this.#tab.store.release(this.#key, this.#options()));
  }

  async abandon(options: Pick<AbandonOptions, "executed"> = {}): Promise<void> {
    await this.#settle(
      "abandon",
      this.#tab.store.abandon(this.#key, { ...this.#options(), ...options }),
    );
  }

  async #settle(verb: string, work: Promise<void>): Promise<void> {
    this.#open = false;
    await this.#within(verb, work);
  }

  #within(verb: string, work: Promise<void>): Promise<void> {
    const { deadline, label } = this.#tab;
    return deadline.within(work, `${verb}(${JSON.stringify(this.#key)}) in ${label}`);
  }

  #options() {
    const { fence } = this.begun;
    const { signal } = new AbortController();
    return fence === undefined ? { signal } : { signal, fence };
  }
}
