import type { IdempotencyStore, JournalOptions, OperationJournal } from "../src/contracts.js";
import { ClaimLostError } from "../src/errors.js";
import type { SettleAnswer } from "../worker/protocol.js";
import type { Tab } from "./tab.js";

/**
 * The journal of a profile: an entry is stored with its operation, whatever the tool's journal key is, so that keys of
 * both kinds never collide and a completion removes the entry in its own transaction. Writing needs the claim.
 */
export class ProfileJournal implements OperationJournal {
  readonly scope = "profile";
  readonly id: string;
  readonly #tab: Tab;

  constructor(
    tab: Tab,
    namespace: string,
    readonly joins: IdempotencyStore,
  ) {
    this.#tab = tab;
    this.id = namespace;
  }

  async read(_key: string, { operationKey }: JournalOptions): Promise<unknown> {
    const found = await this.#tab.link.ask<{ readonly entry: unknown } | null>((remote) =>
      remote.readEntry(operationKey),
    );
    return this.#tab.coder.decode(found?.entry);
  }

  /** Resolves when the entry is durable. */
  async write(_key: string, entry: unknown, options: JournalOptions): Promise<void> {
    const claim = this.#claim(options);
    const encoded = await this.#tab.coder.encode(entry);
    const answer = await this.#tab.link.ask<SettleAnswer>((remote) =>
      remote.writeEntry(claim.name, encoded),
    );
    if (answer.state === "lost") throw new ClaimLostError();
  }

  async remove(_key: string, options: JournalOptions): Promise<void> {
    const claim = this.#claim(options);
    const answer = await this.#tab.link.ask<SettleAnswer>((remote) =>
      remote.removeEntry(claim.name),
    );
    if (answer.state === "lost") throw new ClaimLostError();
  }

  #claim({ operationKey, fence }: JournalOptions) {
    const claim = this.#tab.claims.find(operationKey, fence);
    if (claim.holding.lost.aborted) throw new ClaimLostError();
    return claim;
  }
}
