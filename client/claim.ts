import type { Clock } from "../src/clock.js";
import { ClaimLostError } from "../src/errors.js";
import { persist } from "../src/persist.js";
import type { CoordinatorApi, Reply, SettleAnswer } from "../worker/protocol.js";
import type { Coder } from "./codec.js";
import type { Link } from "./link.js";
import type { Holding, Presence } from "./presence.js";

/** What names a claim and its intent. */
export interface ClaimName {
  readonly key: string;
  readonly tool: string;
  readonly fingerprint: string | undefined;
  readonly call: string;
  readonly fence: number;
}

/** What a claim needs of its tab. */
export interface ClaimSurroundings {
  readonly link: Link;
  readonly presence: Presence;
  readonly clock: Clock;
  readonly coder: Coder;
  /** Keeps the connection, also of a disposed profile, until the work has ended. */
  readonly inBackground: (work: Promise<void>) => void;
  /** The claim is not to be found under its key any more. */
  readonly forget: (claim: Claim) => void;
  /** A claim has ended: the profile may let go of its connection. */
  readonly rest: () => void;
}

type Settle = (remote: CoordinatorApi) => Promise<Reply<SettleAnswer>>;

/**
 * How often a settlement is tried again that says no more than the tab's death would: a key must not be kept for the life of
 * a tab that can't reach its worker.
 */
const ATTEMPTS = 5;

/** A claim of this tab, from its grant to its settlement. */
export class Claim {
  readonly name: ClaimName;
  /** The sign of life under which it was claimed. */
  readonly holding: Holding;
  readonly #tab: ClaimSurroundings;

  constructor(tab: ClaimSurroundings, name: ClaimName, holding: Holding) {
    this.#tab = tab;
    this.name = name;
    this.holding = holding;
  }

  /** The handler is about to be entered. */
  async start(options: {
    readonly fresh: boolean;
    readonly journalKey: string | undefined;
  }): Promise<void> {
    if (this.holding.lost.aborted) throw await this.#lost();
    const answer = await this.#ask((remote) => remote.start(this.name, options));
    if (answer.state === "lost") throw await this.#lost();
  }

  /** A storage failure leaves the claim open, so that it can be abandoned. */
  async complete(value: unknown): Promise<void> {
    if (this.holding.lost.aborted) {
      await this.#tellExecuted();
      throw await this.#lost();
    }
    const output = await this.#tab.coder.encode(value);
    const answer = await this.#ask((remote) => remote.complete(this.name, output));
    this.#close();
    if (answer.state === "lost") {
      throw new ClaimLostError(await this.#tab.coder.opened(answer.completed));
    }
  }

  async release(): Promise<void> {
    await this.#end((remote) => remote.release(this.name), { executed: false });
  }

  async abandon({ executed }: { readonly executed: boolean }): Promise<void> {
    if (executed && this.holding.lost.aborted) await this.#tellExecuted();
    await this.#end((remote) => remote.abandon(this.name, { executed }), { executed });
  }

  /** Nobody waits for the grant any more. What fails is tried again. */
  async giveBack({ takeover }: { readonly takeover: boolean }): Promise<void> {
    const given = takeover ? this.abandon({ executed: false }) : this.release();
    await given.catch(() => {});
  }

  /** Ends the claim without an output. */
  async #end(settle: Settle, { executed }: { readonly executed: boolean }): Promise<void> {
    if (this.holding.lost.aborted) throw await this.#lost();
    let answer: SettleAnswer;
    try {
      answer = await this.#ask(settle);
    } catch (error) {
      this.#tab.inBackground(this.#endLater(settle, executed));
      throw error;
    }
    if (answer.state === "lost") throw await this.#lost();
    this.#close();
  }

  /**
   * The settlement could not be stored. It is tried again under the same lock, and new calls take another one. That the
   * handler had returned is said for as long as the tab lives: its death would not say it.
   */
  async #endLater(settle: Settle, executed: boolean): Promise<void> {
    const { presence, clock, forget } = this.#tab;
    forget(this);
    presence.renew();
    const wanted = () => !this.holding.lost.aborted;
    await persist(
      () => this.#ask(settle),
      executed ? { clock } : { clock, attempts: ATTEMPTS, wanted },
    );
    presence.release(this.holding);
  }

  /** Others may have buried the claim already: whoever recovers must know that its handler has returned. */
  async #tellExecuted(): Promise<void> {
    const tell = () => this.#ask((remote) => remote.abandon(this.name, { executed: true }));
    const { clock, inBackground } = this.#tab;
    await tell().catch(() => inBackground(persist(tell, { clock })));
  }

  /** This tab was taken for dead. Somebody else may have completed the operation since. */
  async #lost(): Promise<ClaimLostError> {
    const { key, tool, fingerprint } = this.name;
    const completed = await this.#tab.link
      .ask<{ readonly output: unknown } | null>((remote) =>
        remote.completed({ key, tool, fingerprint }),
      )
      .catch(() => null);
    this.#close();
    return new ClaimLostError(await this.#tab.coder.opened(completed));
  }

  #ask(settle: Settle): Promise<SettleAnswer> {
    return this.#tab.link.ask(settle);
  }

  #close(): void {
    this.#tab.forget(this);
    this.#tab.presence.release(this.holding);
    this.#tab.rest();
  }
}
