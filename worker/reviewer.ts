import type { Clock } from "../src/clock.js";
import type { OperationInfo, OperationPage } from "../src/operations.js";
import type { Administration, Purged } from "../stores/administration.js";
import type { Audit, OperationRecord, OwnedClaim, PurgedRecord } from "../stores/records.js";
import { BUILD } from "./names.js";
import type {
  ListRequest,
  PurgeReport,
  PurgeTarget,
  ResolveAnswer,
  ResolveRequest,
  WorkerHealth,
} from "./protocol.js";

/** What a reviewer needs from its coordinator. */
export interface ReviewerOptions {
  readonly administration: Administration;
  readonly clock: Clock;
  /** Runs it while nobody answers from memory. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** How many calls wait for the key here. */
  readonly waiters: (key: string) => number;
  /** Whether the claim's owner lives. If not, its death is noticed as any other. */
  readonly isAlive: (claim: OwnedClaim) => Promise<boolean>;
  /** Ends the claim of an owner that is gone. */
  readonly bury: (claim: OwnedClaim) => Promise<void>;
  /** Operations have changed; who waits for one of these keys has to look again. */
  readonly changed: (keys: readonly string[]) => void;
}

/** Of a key whose answer was purged nothing is told. */
type KnownRecord = Exclude<OperationRecord, PurgedRecord>;

interface PurgeOptions {
  readonly inDoubt: boolean;
}

/** Answers what is asked about the operations as a whole, rather than by a call for its own key. */
export class Reviewer {
  readonly #administration: Administration;
  readonly #clock: Clock;
  readonly #alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly #waiters: (key: string) => number;
  readonly #isAlive: (claim: OwnedClaim) => Promise<boolean>;
  readonly #bury: (claim: OwnedClaim) => Promise<void>;
  readonly #changed: (keys: readonly string[]) => void;

  constructor(options: ReviewerOptions) {
    this.#administration = options.administration;
    this.#clock = options.clock;
    this.#alone = options.alone;
    this.#waiters = options.waiters;
    this.#isAlive = options.isAlive;
    this.#bury = options.bury;
    this.#changed = options.changed;
  }

  async list({ limit, ...query }: ListRequest): Promise<OperationPage> {
    // One more than was asked for, to learn whether there are more.
    const found = await this.#known({ ...query, limit: limit + 1 });
    const page = found.slice(0, limit);
    const operations = await Promise.all(page.map((record) => this.#infoOf(record)));
    const last = page.at(-1)?.key;
    return found.length > limit && last !== undefined
      ? { operations, cursor: last }
      : { operations };
  }

  /** Records of which there is something to tell. */
  async #known({ state, prefix, cursor, limit }: ListRequest): Promise<KnownRecord[]> {
    const known: KnownRecord[] = [];
    let after = cursor;
    for (;;) {
      const wanted = limit - known.length;
      const found = await this.#administration.list({ state, prefix, after, limit: wanted });
      known.push(...found.flatMap((record) => (record.state === "purged" ? [] : record)));
      after = found.at(-1)?.key;
      if (found.length < wanted || known.length === limit) return known;
    }
  }

  async get(
    key: string,
    { output }: { readonly output: boolean },
  ): Promise<OperationInfo | undefined> {
    const record = await this.#administration.record(key);
    if (!record || record.state === "purged") return undefined;
    const info = await this.#infoOf(record);
    return output && record.state === "completed" ? { ...info, output: record.output } : info;
  }

  async health(): Promise<WorkerHealth> {
    const counts = await this.#administration.counts();
    return { build: BUILD, counts, lastStorageError: this.#administration.lastFailure };
  }

  /** Settles an operation in doubt. The claim of an owner that is gone counts as doubt. */
  async resolve(
    key: string,
    { resolution, ...review }: ResolveRequest & { readonly completedMs: number },
  ): Promise<ResolveAnswer> {
    const record = await this.#administration.record(key);
    if (record?.state === "claimed" && !(await this.#isAlive(record))) await this.#bury(record);
    const answer = await this.#administration.resolve(key, resolution, review);
    if (answer.state === "resolved") this.#changed([key]);
    return answer;
  }

  /** Forgets what is settled under some of these keys; the tab asks again for the rest, and calls get in between. */
  async purge(target: PurgeTarget, options: PurgeOptions): Promise<PurgeReport> {
    const step = await this.#purgeSome(target, options);
    let { purged } = step;
    const live: string[] = [];
    for (const claim of step.live) {
      const again = await this.#purgeIfDead(claim, options);
      purged += again?.purged ?? 0;
      if (!again || again.live.length > 0) live.push(claim.key);
    }
    return { purged, live, cursor: step.cursor };
  }

  async #purgeSome(target: PurgeTarget, options: PurgeOptions): Promise<Purged> {
    const step = await this.#alone(() =>
      "key" in target
        ? this.#administration.purgeKey(target.key, options)
        : this.#administration.purgeSome(target, options),
    );
    this.#changed(step.awaited);
    return step;
  }

  /** What the claim of an owner that is gone has left is purged as such. */
  async #purgeIfDead(claim: OwnedClaim, options: PurgeOptions): Promise<Purged | undefined> {
    if (await this.#isAlive(claim)) return undefined;
    await this.#bury(claim);
    return this.#purgeSome({ key: claim.key }, options);
  }

  /** What may be told of a record: its call, its digest and where its journal is are nobody's business. */
  async #infoOf(record: KnownRecord): Promise<OperationInfo> {
    const { key, tool, fence, executed, createdAt, updatedAt, attempts = 0 } = record;
    const ageMs = Math.max(0, this.#clock.now() - updatedAt);
    const waiters = this.#waiters(key);
    const common = {
      ...{ key, tool, fence, executed, createdAt, updatedAt, ageMs, waiters, attempts },
      ...(record.audit && { audit: auditOf(record.audit) }),
    };
    switch (record.state) {
      case "claimed": {
        const { state, phase, takeover, owner: id } = record;
        const owner = { id, alive: await this.#isAlive(record) };
        return { ...common, state, phase, takeover, owner };
      }
      case "in_doubt": {
        const { state, recoverAt } = record;
        return { ...common, state, ...(recoverAt !== undefined && { nextRecoveryAt: recoverAt }) };
      }
      case "completed":
      case "not_applied": {
        const { state, expiresAt } = record;
        return { ...common, state, ...(expiresAt !== undefined && { expiresAt }) };
      }
      default:
        return record satisfies never;
    }
  }
}

/** Its id is nobody's business. */
const auditOf = ({ id: _, ...audit }: Audit) => audit;
