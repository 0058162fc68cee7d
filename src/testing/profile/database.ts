import type { Database, Durability } from "../../../stores/database.js";
import type { AllRows } from "../../../stores/rows.js";
import type { Clock } from "../../clock.js";
import { type Change, Contents, Draft } from "./contents.js";
import type { Lane, Process, Schedule } from "./schedule.js";

interface Transaction {
  readonly process: Process;
  readonly durability: Durability;
  /** What happens to its process: the transaction begins, and its outcome is told. */
  readonly lane: Lane;
  readonly begin: (draft: Draft) => Promise<unknown>;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** How long a transaction may take, in milliseconds, as in production. */
const DEADLINE_MS = 10_000;

/** Where a transaction can fail. */
export type Moment = "begin" | "write" | "commit";

/**
 * The profile's database: one transaction at a time, each whole or not at all. What is committed is seen by all; what was
 * committed `relaxed` is lost in a power cut until a strict commit, or {@link flush}, has written it out.
 */
export class VirtualDatabase {
  readonly #schedule: Schedule;
  readonly #disk: Lane;
  #seen = new Contents();
  #written = new Contents();
  #queue: Transaction[] = [];
  #active: Transaction | undefined;
  #committing = false;
  /** Whether a transaction fails there, and with what. */
  fault: (moment: Moment) => unknown = () => undefined;
  /** Told of what each commit did to records. */
  onCommit: (changes: readonly Change[]) => void = () => {};

  constructor(schedule: Schedule, browser: Process) {
    this.#schedule = schedule;
    this.#disk = schedule.lane(browser, "database");
  }

  /** What transactions see that begin now. */
  get contents(): Contents {
    return this.#seen;
  }

  /** Whose transaction runs. */
  get user(): Process | undefined {
    return this.#active?.process;
  }

  /** The process has transactions that have not ended. */
  isUsedBy(process: Process): boolean {
    const open = [this.#active, ...this.#queue];
    return open.some((transaction) => transaction?.process === process);
  }

  /** One process's way to it. A transaction that others keep waiting ends at its deadline. */
  connect(process: Process, clock: Clock): Database {
    const lane = this.#schedule.lane(process, `database → ${process.name}`);
    return {
      transact: <T>(durability: Durability, work: (rows: AllRows) => Promise<T>) =>
        new Promise<T>((resolve, reject) => {
          const transaction: Transaction = {
            process,
            durability,
            lane,
            begin: work,
            succeed(value) {
              cancel();
              // It is what `work` gave.
              resolve(value as T);
            },
            fail(error) {
              cancel();
              reject(error);
            },
          };
          const cancel = clock.after(DEADLINE_MS, () => this.#tooLate(transaction));
          this.#queue.push(transaction);
          this.#next();
        }),
      close() {},
    };
  }

  /** The process is dead, and its transactions with it. One that is being committed is committed. */
  abandon(process: Process): void {
    this.#queue = this.#queue.filter((transaction) => transaction.process !== process);
    if (this.#active?.process !== process || this.#committing) return;
    this.#active = undefined;
    this.#next();
  }

  /** Everything that was reported as committed is on the disk. */
  flush(): void {
    this.#written = this.#seen;
  }

  /** What is not on the disk is lost. All processes must be dead. */
  cutPower(): void {
    this.#seen = this.#written;
    this.#queue = [];
    this.#active = undefined;
    this.#committing = false;
  }

  #next(): void {
    if (this.#active) return;
    const transaction = this.#queue.shift();
    this.#active = transaction;
    transaction?.lane.push(() => this.#begin(transaction), "transaction begins");
  }

  /** One that is being committed, or has been, can't be undone any more. */
  #tooLate(transaction: Transaction): void {
    const waits = this.#queue.includes(transaction);
    if (!waits && (this.#active !== transaction || this.#committing)) return;
    this.#queue = this.#queue.filter((other) => other !== transaction);
    transaction.fail(new DOMException("The transaction did not end in time.", "TimeoutError"));
    if (waits) return;
    this.#active = undefined;
    this.#next();
  }

  #begin(transaction: Transaction): void {
    // Its deadline came before its turn.
    if (this.#active !== transaction) return;
    const step = this.#schedule.steps;
    const draft = new Draft(this.#seen, (writes) => {
      if (this.#schedule.steps !== step) {
        throw new DOMException("Something else was awaited in it.", "TransactionInactiveError");
      }
      this.#failAt(writes ? "write" : undefined);
    });
    this.#run(transaction, draft).then(
      (value) => {
        if (this.#active !== transaction) return;
        this.#committing = true;
        this.#disk.push(() => this.#commit(transaction, draft, value), "commit");
      },
      (error) => this.#end(transaction, () => transaction.fail(error)),
    );
  }

  async #run(transaction: Transaction, draft: Draft): Promise<unknown> {
    this.#failAt("begin");
    return await transaction.begin(draft);
  }

  #commit(transaction: Transaction, draft: Draft, value: unknown): void {
    if (this.#active !== transaction) return;
    this.#committing = false;
    try {
      if (draft.changed) this.#failAt("commit");
    } catch (error) {
      this.#end(transaction, () => transaction.fail(error));
      return;
    }
    if (draft.changed) {
      this.#seen = draft.result();
      this.onCommit(draft.changes);
    }
    if (transaction.durability === "strict") this.flush();
    this.#end(transaction, () => transaction.succeed(value));
  }

  /** The outcome is on its way to whoever asked; the next one can begin. */
  #end(transaction: Transaction, tell: () => void): void {
    transaction.lane.push(tell, "transaction ended");
    if (this.#active !== transaction) return;
    this.#active = undefined;
    this.#next();
  }

  #failAt(moment: Moment | undefined): void {
    const error = moment && this.fault(moment);
    if (error) throw error;
  }
}
