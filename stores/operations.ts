import { Administration } from "./administration.js";
import { apply } from "./apply.js";
import { Batches } from "./batches.js";
import type { Database, Durability } from "./database.js";
import {
  completedFor,
  type Decision,
  decideAbandon,
  decideBegin,
  decideComplete,
  decideDeath,
  decideRelease,
  decideStart,
  decideUndo,
  decideUnreadable,
  holds,
} from "./decisions.js";
import { FailureLog } from "./failure-log.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimRef,
  Intent,
  OperationRecord,
  OwnedClaim,
  SettleAnswer,
} from "./records.js";
import { Replays } from "./replays.js";

/** A caller in the order of the queue. */
export interface Caller {
  readonly request: BeginRequest;
  /** It stands behind a live owner, so its claim is only reserved until its tab starts it. */
  readonly waited: boolean;
  /** The first claim that it has waited behind. */
  readonly behind?: number | undefined;
}

/** What a completed operation says to a caller. */
type Recalled = Extract<BeginAnswer, { state: "completed" | "conflict" }>;

/** On what terms an output is stored. */
export interface CompletionTerms {
  readonly durability: Durability;
  /** For how long it is replayed, in milliseconds. `undefined`: without end. */
  readonly completedMs: number | undefined;
}

const STRICT: CompletionTerms = { durability: "strict", completedMs: undefined };

/** The operations and journal entries of one profile. Each method decides and writes in one transaction. */
export class Operations {
  /** The same records, for reviewers and for housekeeping. */
  readonly administration: Administration;
  /** What replays are answered from without a transaction, while it is open. */
  readonly replays = new Replays();
  readonly #batches: Batches;
  readonly #now: () => number;

  constructor(database: Database, now: () => number = Date.now) {
    const log = new FailureLog(database, now);
    this.administration = new Administration(log, now);
    this.#batches = new Batches(log, this.replays);
    this.#now = now;
  }

  /** The caller's answer, if it is known without a transaction. */
  recall({ request, waited }: Caller): Recalled | undefined {
    const record = this.replays.find(request.key);
    if (!record) return undefined;
    const { answer } = decideBegin(record, request, { now: this.#now(), fence: 0, waited });
    // If it has expired, only a transaction can give the key away again.
    return answer.state === "completed" || answer.state === "conflict" ? answer : undefined;
  }

  /** Decides the callers of one key, first come, first served. */
  async begin<C extends Caller>(key: string, callers: readonly C[]): Promise<[C, BeginAnswer][]> {
    const recalled = callers.flatMap((caller): [C, BeginAnswer][] => {
      const answer = this.recall(caller);
      return answer ? [[caller, answer]] : [];
    });
    return recalled.length === callers.length ? recalled : this.#claim(key, callers);
  }

  #claim<C extends Caller>(key: string, callers: readonly C[]): Promise<[C, BeginAnswer][]> {
    // Strict also for reservations: they may turn out to be takeovers, whose fence an application can send to its
    // server at once, and a power cut must not give a fence away twice.
    return this.#batches.run("strict", { key, lastFence: true }, async (rows) => {
      const [found, lastFence] = await Promise.all([rows.record(key), rows.lastFence()]);
      const now = this.#now();
      let record = found;
      let fence = Math.max(lastFence, found?.fence ?? 0);
      const answers: [C, BeginAnswer][] = [];
      for (const caller of callers) {
        const { request, waited, behind } = caller;
        const decision = decideBegin(record, request, { now, fence: fence + 1, waited, behind });
        record = await apply(rows, key, record, decision);
        fence = Math.max(fence, record?.fence ?? 0);
        answers.push([caller, decision.answer]);
      }
      if (fence > lastFence) await rows.putLastFence(fence);
      return answers;
    });
  }

  /** See {@link decideStart}. */
  start(
    claim: ClaimRef,
    options: { readonly fresh: boolean; readonly journalKey?: string | undefined },
  ): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record) =>
      decideStart(record, claim, { now: this.#now(), ...options }),
    );
  }

  /**
   * Stores the output and removes the journal entry. With `relaxed`, a power cut may undo both together, and the operation is
   * then in doubt with its entry. Where other tabs would look for an entry and find none, which they would take for the proof
   * that nothing happened, it is `strict` all the same.
   */
  async complete(
    claim: ClaimRef & Intent,
    output: unknown,
    { durability, completedMs }: CompletionTerms = STRICT,
  ): Promise<SettleAnswer> {
    const decide = (record: OperationRecord | undefined) =>
      decideComplete(record, claim, { now: this.#now(), output, completedMs });
    const done = durability === "relaxed" && (await this.#completeRelaxed(claim.key, decide));
    return done || this.#decide(claim.key, decide);
  }

  /** Frees the key and removes the journal entry. */
  release(claim: ClaimRef): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record) => decideRelease(record, claim, this.#now()));
  }

  /** Leaves the operation in doubt. */
  abandon(claim: ClaimRef, options: { readonly executed: boolean }): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record) =>
      decideAbandon(record, claim, { now: this.#now(), ...options }),
    );
  }

  /** See {@link decideUnreadable}. */
  unreadable(key: string, fence: number): Promise<boolean> {
    return this.#decide(key, (record) => decideUnreadable(record, { fence, now: this.#now() }));
  }

  /** Ends a dead owner's claim; answers whether it was still there. */
  bury(claim: OwnedClaim): Promise<boolean> {
    return this.#decide(claim.key, (record) => decideDeath(record, claim, this.#now()));
  }

  /** Ends a claim that its page has not heard of; answers whether it was still there. */
  undo(claim: OwnedClaim): Promise<boolean> {
    return this.#decide(claim.key, (record) => decideUndo(record, claim, this.#now()));
  }

  /** The stored output for the same tool and intent, if there is one. */
  completed(intent: Intent): Promise<{ readonly output: unknown } | undefined> {
    return this.#batches.run("relaxed", intent, async (rows) =>
      completedFor(await rows.record(intent.key), intent),
    );
  }

  /** The operation's journal entry, boxed. */
  entry(key: string): Promise<{ readonly entry: unknown } | undefined> {
    return this.#batches.run("relaxed", {}, (rows) => rows.entry(key));
  }

  /** Stores the claim's journal entry, or removes it; refused once the claim is lost. */
  journal(claim: ClaimRef, entry: { readonly entry: unknown } | undefined): Promise<SettleAnswer> {
    return this.#batches.run("strict", { key: claim.key }, async (rows) => {
      const record = await rows.record(claim.key);
      if (!holds(record, claim)) return { state: "lost" };
      const { journaled, ...bare } = record;
      if (entry) {
        await rows.putEntry(claim.key, entry.entry);
        if (!journaled) await rows.putRecord({ ...record, journaled: true });
      } else if (journaled) {
        await rows.deleteEntry(claim.key);
        await rows.putRecord(bare);
      }
      return { state: "settled" };
    });
  }

  /** Does nothing, and answers nothing, where "no entry" would be taken for a proof afterwards. */
  #completeRelaxed(
    key: string,
    decide: (record: OperationRecord | undefined) => Decision<SettleAnswer>,
  ): Promise<SettleAnswer | undefined> {
    return this.#batches.run("relaxed", { key }, async (rows) => {
      const record = await rows.record(key);
      const isClaimed = record?.state === "claimed";
      if (isClaimed && record.journalKey !== undefined && !record.journaled) return undefined;
      const decision = decide(record);
      await apply(rows, key, record, decision);
      return decision.answer;
    });
  }

  #decide<Answer>(
    key: string,
    decide: (record: OperationRecord | undefined) => Decision<Answer>,
  ): Promise<Answer> {
    return this.#batches.run("strict", { key }, async (rows) => {
      const record = await rows.record(key);
      const decision = decide(record);
      await apply(rows, key, record, decision);
      return decision.answer;
    });
  }
}
