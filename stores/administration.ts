import type { Database, RecordsQuery } from "./database.js";
import type { OperationRecord } from "./records.js";

/** The operations of one profile as reviewers and housekeeping see them. No call waits for what is done here. */
export class Administration {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A stretch of the records. */
  list(query: RecordsQuery): Promise<OperationRecord[]> {
    return this.#database.transact("relaxed", (rows) => rows.records(query));
  }

  /** The key's record. */
  record(key: string): Promise<OperationRecord | undefined> {
    return this.#database.transact("relaxed", (rows) => rows.record(key));
  }
}
