import type { OperationJournal } from "../contracts.js";

/** Options of {@link MemoryOperationJournal}. */
export interface MemoryJournalOptions {
  /**
   * Who can read its entries: `"tab"` (the default), as with `sessionStorage`, or every tab of the browser profile, as with
   * `localStorage`.
   */
  readonly scope?: "tab" | "profile";
  /** Tells two journals of `"profile"` scope apart. Default: the empty text. */
  readonly id?: string;
}

/** An operation journal in memory, for tests. One instance stands for one tab. */
export class MemoryOperationJournal implements OperationJournal {
  readonly scope: "tab" | "profile";
  readonly id: string;
  #entries = new Map<string, unknown>();

  constructor({ scope = "tab", id = "" }: MemoryJournalOptions = {}) {
    this.scope = scope;
    this.id = id;
  }

  /** The same journal in another tab of the browser profile: it shares the entries if the scope says so. */
  anotherTab(): MemoryOperationJournal {
    const other = new MemoryOperationJournal({ scope: this.scope, id: this.id });
    if (this.scope === "profile") other.#entries = this.#entries;
    return other;
  }

  async read(key: string): Promise<unknown> {
    return structuredClone(this.#entries.get(key));
  }

  async write(key: string, entry: unknown): Promise<void> {
    this.#entries.set(key, structuredClone(entry));
  }

  async remove(key: string): Promise<void> {
    this.#entries.delete(key);
  }
}
