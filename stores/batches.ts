import type { Database, Durability } from "./database.js";
import { type Needs, Overlay } from "./overlay.js";
import type { OperationRecord } from "./records.js";
import type { Replays } from "./replays.js";
import type { Rows } from "./rows.js";

interface Job {
  readonly durability: Durability;
  readonly needs: Needs;
  readonly work: (rows: Rows) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** The most jobs in one transaction: it bounds how long one commit can take. */
const MAX_JOBS = 256;

/**
 * Group commit: what arrives while a transaction commits goes into the next one together. A strict commit costs the
 * same for one job as for a hundred.
 */
export class Batches {
  readonly #database: Database;
  readonly #replays: Replays | undefined;
  #queue: Job[] = [];
  #running = false;

  /** @param replays Learns what each transaction has read and written. */
  constructor(database: Database, replays?: Replays) {
    this.#database = database;
    this.#replays = replays;
  }

  /**
   * Runs `work` in a transaction that it may share. Nothing is reported before the commit.
   *
   * @param needs What it will read, which is read for all jobs together.
   */
  run<T>(durability: Durability, needs: Needs, work: (rows: Rows) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        durability,
        needs,
        work,
        resolve: (value) => resolve(value as T),
        reject,
      });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    // Jobs of the same tick are one batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      await this.#commit(this.#queue.splice(0, MAX_JOBS));
    }
    this.#running = false;
  }

  /** Answers with the time-out that ended it, if one did. */
  async #commit(jobs: readonly Job[]): Promise<DOMException | undefined> {
    const durability = jobs.some((job) => job.durability === "strict") ? "strict" : "relaxed";
    const era = this.#replays?.era;
    let seen: ReadonlyMap<string, OperationRecord | undefined> = new Map();
    let begun = false;
    try {
      const results = await this.#database.transact(durability, async (rows) => {
        begun = true;
        const overlay = new Overlay(rows);
        await overlay.read(jobs.map(({ needs }) => needs));
        const values: unknown[] = [];
        for (const job of jobs) values.push(await job.work(overlay));
        seen = await overlay.write();
        return values;
      });
      for (const [key, record] of seen) this.#replays?.learn(key, record, era);
      jobs.forEach((job, index) => void job.resolve(results[index]));
      return undefined;
    } catch (error) {
      // One bad job must not take the others with it: each gets a transaction of its own. If none could begin, none will.
      if (begun && jobs.length > 1) await this.#commitEach(jobs);
      else reject(jobs, error);
      return isTimeout(error) ? error : undefined;
    }
  }

  /** Ends with the first that finds the database blocked: so would the others, and each would wait its time. */
  async #commitEach(jobs: readonly Job[]): Promise<void> {
    for (const [index, job] of jobs.entries()) {
      const timeout = await this.#commit([job]);
      if (timeout) return reject(jobs.slice(index + 1), timeout);
    }
  }
}

function reject(jobs: readonly Job[], reason: unknown): void {
  for (const job of jobs) job.reject(reason);
}

const isTimeout = (error: unknown): error is DOMException =>
  error instanceof DOMException && error.name === "TimeoutError";
