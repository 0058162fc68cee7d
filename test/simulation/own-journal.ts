import type { OperationJournal } from "../../src/index.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";

/** A tab's own journal, as over `sessionStorage`, but slow: it ends with its page, and no other one can read it. */
export class OwnJournal implements OperationJournal {
  readonly scope = "tab";
  readonly #page: VirtualPage;
  readonly #entries = new Map<string, unknown>();

  constructor(page: VirtualPage) {
    this.#page = page;
  }

  read(key: string): Promise<unknown> {
    return this.#soon(() => this.#entries.get(key));
  }

  async write(key: string, entry: unknown): Promise<void> {
    // To write takes longer than to read.
    await this.#soon(() => {});
    await this.#soon(() => void this.#entries.set(key, entry));
  }

  async remove(key: string): Promise<void> {
    await this.#soon(() => void this.#entries.delete(key));
  }

  #soon<T>(task: () => T): Promise<T> {
    return new Promise((resolve) => this.#page.run(() => resolve(task()), "its own journal"));
  }
}
