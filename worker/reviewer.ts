import type { Clock } from "../src/clock.js";
import type { OperationInfo, OperationPage } from "../src/operations.js";
import type { Administration } from "../stores/administration.js";
import type { OperationRecord, OwnedClaim } from "../stores/records.js";
import type { ListRequest } from "./protocol.js";

/** What a reviewer needs from its coordinator. */
export interface ReviewerOptions {
  readonly administration: Administration;
  readonly clock: Clock;
  /** How many calls wait for the key here. */
  readonly waiters: (key: string) => number;
  /** Whether the claim's owner lives. If not, the claim is ended as for any other death. */
  readonly isAlive: (claim: OwnedClaim) => Promise<boolean>;
}

/** Answers what is asked about the operations as a whole, rather than by a call for its own key. */
export class Reviewer {
  readonly #administration: Administration;
  readonly #clock: Clock;
  readonly #waiters: (key: string) => number;
  readonly #isAlive: (claim: OwnedClaim) => Promise<boolean>;

  constructor({ administration, clock, waiters, isAlive }: ReviewerOptions) {
    this.#administration = administration;
    this.#clock = clock;
    this.#waiters = waiters;
    this.#isAlive = isAlive;
  }

  /** One more than was asked for is read, to learn whether there are more. */
  async list({ state, prefix, limit, cursor }: ListRequest): Promise<OperationPage> {
    const query = { state, prefix, after: cursor, limit: limit + 1 };
    const found = await this.#administration.list(query);
    const page = found.slice(0, limit);
    const operations = await Promise.all(page.map((record) => this.#infoOf(record)));
    const last = page.at(-1)?.key;
    return found.length > limit && last !== undefined
      ? { operations, cursor: last }
      : { operations };
  }

  async get(
    key: string,
    { output }: { readonly output: boolean },
  ): Promise<OperationInfo | undefined> {
    const record = await this.#administration.record(key);
    if (!record) return undefined;
    const info = await this.#infoOf(record);
    return output && record.state === "completed" ? { ...info, output: record.output } : info;
  }

  /** What may be told of a record: its call, its digest and where its journal is are nobody's business. */
  async #infoOf(record: OperationRecord): Promise<OperationInfo> {
    const { key, tool, state, fence, executed, createdAt, updatedAt, attempts = 0 } = record;
    const ageMs = Math.max(0, this.#clock.now() - updatedAt);
    const waiters = this.#waiters(key);
    const common = { key, tool, fence, executed, createdAt, updatedAt, ageMs, waiters, attempts };
    if (record.state !== "claimed") return { ...common, state };
    const { phase, takeover, owner: id } = record;
    const owner = { id, alive: await this.#isAlive(record) };
    return { ...common, state, phase, takeover, owner };
  }
}
