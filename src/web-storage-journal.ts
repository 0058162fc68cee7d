import type { OperationJournal } from "./contracts.js";

/**
 * Keeps entries as JSON in `sessionStorage` or `localStorage` (core concepts seed, "Operation journals and recovery").
 *
 * Only `localStorage` is read by every tab. In any other storage the scope is `"tab"`: when the tab that wrote an entry
 * is gone, its operation ends in `OutcomeUnknownError` unless `recover` learns the outcome from the authority.
 */
export class WebStorageOperationJournal implements OperationJournal {
  readonly scope: "tab" | "profile";
  readonly id: string;
  readonly #storage: Storage;
  readonly #prefix: string;

  /** @param prefix Begins the name of each item, so that entries collide with nothing else in the storage. */
  constructor(storage: Storage, prefix: string) {
    this.scope = isLocalStorage(storage) ? "profile" : "tab";
    this.id = `web-storage:${prefix}`;
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** @throws {SyntaxError} for an item that is no JSON: it counts as written, because it may have been. */
  read(key: string): unknown {
    const text = this.#storage.getItem(this.#prefix + key);
    return text === null ? undefined : JSON.parse(text);
  }

  /**
   * @throws {TypeError} for an entry that JSON has no text for.
   * @throws {DOMException} a `QuotaExceededError` when the storage is full.
   */
  write(key: string, entry: unknown): void {
    const text: string | undefined = JSON.stringify(entry);
    if (text === undefined) {
      throw new TypeError(`A journal entry must be JSON data, and this one is a ${typeof entry}.`);
    }
    this.#storage.setItem(this.#prefix + key, text);
  }

  remove(key: string): void {
    this.#storage.removeItem(this.#prefix + key);
  }
}

function isLocalStorage(storage: Storage): boolean {
  try {
    return storage === globalThis.localStorage;
  } catch {
    // A page that may not store data is refused the very property.
    return false;
  }
}
