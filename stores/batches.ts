import type { Database, Durability, Rows } from "./database.js";
import { Overlay } from "./overlay.js";

interface Job {
  readonly durability: Durability;
  readonly key: string | undefined;
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
  #queue: Job[] = [];
  #running = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Runs `work` in a transaction that it may share. Nothing is reported before the commit.
   *
   * @param key Whose record it is about, if it is about one: they are read together.
   */
  run<T>(
    durability: Durability,
    key: string | undefined,
    work: (rows: Rows) => Promise<T>,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ durability, key, work, resolve: (value) => resolve(value as T), reject });
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
    let begun = false;
    try {
      const results = await this.#database.transact(durability, async (rows) => {
        begun = true;
        const overlay = new Overlay(rows);
        await overlay.read(new Set(jobs.flatMap(({ key }) => key ?? [])));
        const values: unknown[] = [];
        for (const job of jobs) values.push(await job.work(overlay));
        await overlay.write();
        return values;
      });
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
