import { Batches } from "../batches.js";
import type { Database } from "../database.js";
import {
  completedFor,
  type Decision,
  decideAbandon,
  decideBegin,
  decideComplete,
  decideDeath,
  decideRelease,
  decideStart,
} from "../decisions.js";
import type {
  BeginAnswer,
  BeginRequest,
  ClaimRef,
  Intent,
  OperationRecord,
  SettleAnswer,
} from "../records.js";
import type { Rows } from "../rows.js";

/**
 * The records of keys whose locks this tab holds or waits for. Each method decides and writes in one transaction. Journal
 * entries are elsewhere.
 */
export class KeyRecords {
  readonly #batches: Batches;

  constructor(database: Database) {
    this.#batches = new Batches(database);
  }

  /**
   * See {@link decideBegin}. The caller holds the key's lock, so an owner that the record names is gone.
   * @throws the reason of `lost`, if the caller holds it no longer.
   */
  begin(request: BeginRequest, lost: AbortSignal): Promise<BeginAnswer> {
    const { key } = request;
    // Strict also for reservations: a power cut must not give a fence away twice.
    return this.#batches.run("strict", { key, lastFence: true }, async (rows) => {
      const [record, lastFence] = await Promise.all([rows.record(key), rows.lastFence()]);
      lost.throwIfAborted();
      const now = Date.now();
      const fence = Math.max(lastFence, record?.fence ?? 0) + 1;
      const decision = decideBegin(withoutOwner(record, now), request, {
        now,
        fence,
        waited: false,
      });
      const claimed = decision.record === "keep" ? undefined : rows.putLastFence(fence);
      await Promise.all([claimed, apply(rows, key, decision)]);
      return decision.answer;
    });
  }

  /** What speaks against waiting for the key's present owner: the key is another tool's, or for another intent. */
  conflict(request: BeginRequest): Promise<"tool" | "fingerprint" | undefined> {
    return this.#batches.run("relaxed", request, async (rows) => {
      const record = await rows.record(request.key);
      const { answer } = decideBegin(record, request, { now: Date.now(), fence: 0, waited: true });
      return answer.state === "conflict" ? answer.reason : undefined;
    });
  }

  /** See {@link decideStart}. */
  start(
    claim: ClaimRef,
    options: { readonly fresh: boolean; readonly journalKey: string | undefined },
  ): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record, now) =>
      decideStart(record, claim, { now, ...options }),
    );
  }

  /** See {@link decideComplete}. Strict, because the journal entry, which lies elsewhere, is removed next. */
  complete(claim: ClaimRef & Intent, output: unknown): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record, now) => decideComplete(record, claim, { now, output }));
  }

  /** See {@link decideRelease}. */
  release(claim: ClaimRef): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record) => decideRelease(record, claim, Date.now()));
  }

  /** See {@link decideAbandon}. */
  abandon(claim: ClaimRef, { executed }: { readonly executed: boolean }): Promise<SettleAnswer> {
    return this.#decide(claim.key, (record, now) =>
      decideAbandon(record, claim, { now, executed }),
    );
  }

  /** The stored output for the same tool and intent, if there is one. */
  completed(intent: Intent): Promise<{ readonly output: unknown } | undefined> {
    return this.#batches.run("relaxed", intent, async (rows) =>
      completedFor(await rows.record(intent.key), intent),
    );
  }

  #decide<Answer>(
    key: string,
    decide: (record: OperationRecord | undefined, now: number) => Decision<Answer>,
  ): Promise<Answer> {
    return this.#batches.run("strict", { key }, async (rows) => {
      const decision = decide(await rows.record(key), Date.now());
      await apply(rows, key, decision);
      return decision.answer;
    });
  }
}

/** What the owner in the record, whose lock is now this tab's, has left. */
function withoutOwner(
  record: OperationRecord | undefined,
  now: number,
): OperationRecord | undefined {
  if (record?.state !== "claimed") return record;
  const left = decideDeath(record, record, now).record;
  return typeof left === "object" ? left : undefined;
}

async function apply(
  rows: Rows,
  key: string,
  { record }: Pick<Decision<unknown>, "record">,
): Promise<void> {
  if (record === "free") await rows.deleteRecord(key);
  else if (record !== "keep") await rows.putRecord(record);
}
