import type { Database, Durability } from "./database.js";
import type { AllRows } from "./rows.js";

/** What the browser's storage has reported. */
export interface StorageFailure {
  readonly name: string;
  readonly message: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A database that remembers its last failure. */
export class FailureLog implements Database {
  readonly #database: Database;
  readonly #now: () => number;
  #last: StorageFailure | undefined;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  get last(): StorageFailure | undefined {
    return this.#last;
  }

  async transact<T>(durability: Durability, work: (rows: AllRows) => Promise<T>): Promise<T> {
    try {
      return await this.#database.transact(durability, work);
    } catch (error) {
      if (error instanceof DOMException) {
        this.#last = { name: error.name, message: error.message, at: this.#now() };
      }
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
