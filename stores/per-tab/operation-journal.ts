import type { OperationJournal } from "../../src/contracts.js";
import { Batches } from "../batches.js";
import { indexedDbDatabase } from "../database.js";
import { DEFAULT_NAME } from "./names.js";

/** Options of {@link IndexedDbOperationJournal}. */
export interface IndexedDbOperationJournalOptions {
  /**
   * The database's name. Journals of different names share nothing; a journal and a store may have one name. No
   * profile's namespace. Default `"signett-stores"`.
   */
  readonly name?: string;
}

/**
 * Keeps entries in IndexedDB, where every tab of the browser profile can read them, so that a takeover may trust "no
 * entry" (core concepts seed, "Operation journals and recovery"). It goes with any store but a profile's, which has a
 * journal of its own. Making one starts nothing.
 */
export class IndexedDbOperationJournal implements OperationJournal {
  readonly scope = "profile";
  readonly id: string;
  readonly #batches: Batches;

  constructor({ name = DEFAULT_NAME }: IndexedDbOperationJournalOptions = {}) {
    this.id = `indexeddb:${name}`;
    this.#batches = new Batches(indexedDbDatabase(name));
  }

  async read(key: string): Promise<unknown> {
    const found = await this.#batches.run("relaxed", {}, (rows) => rows.entry(key));
    return found?.entry;
  }

  /** Resolves when the entry is durable. An entry is anything that can be cloned. */
  async write(key: string, entry: unknown): Promise<void> {
    await this.#batches.run("strict", {}, (rows) => rows.putEntry(key, entry));
  }

  async remove(key: string): Promise<void> {
    // A power cut that brings the entry back brings doubt back, never a wrong answer.
    await this.#batches.run("relaxed", {}, (rows) => rows.deleteEntry(key));
  }
}
