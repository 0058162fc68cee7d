import { unaborted } from "./abort.js";
import type { OperationJournal, Progress } from "./contracts.js";
import { ClaimLostError } from "./errors.js";
import type { Operation } from "./tool.js";

/** What the journal holds for an operation that failed. `unreadable` counts as written: it may be there. */
export type EntryState = "none" | "written" | "unreadable";

/** Which entry, under which claim. */
export interface OperationPlace {
  readonly journal: OperationJournal;
  readonly journalKey: string;
  readonly key: string;
  readonly fence: number | undefined;
  /** Aborts when others take this tab for dead: the entry is then somebody else's. */
  readonly lost: AbortSignal | undefined;
  /** Shows how far the handler is. */
  readonly show: (progress: Progress) => void;
}

/** One claim's journal access. Its calls go on when the caller leaves, and end when the claim is settled. */
export class ClaimedOperation implements Operation {
  readonly key: string;
  readonly fence: number | undefined;
  readonly #journal: OperationJournal;
  readonly #journalKey: string;
  readonly #lost: AbortSignal | undefined;
  readonly #show: (progress: Progress) => void;
  readonly #changes = new Set<Promise<unknown>>();
  #written = false;
  #open = true;

  constructor({ journal, journalKey, key, fence, lost, show }: OperationPlace) {
    this.key = key;
    this.fence = fence;
    this.#journal = journal;
    this.#journalKey = journalKey;
    this.#lost = lost;
    this.#show = show;
  }

  /** The handler has tried to write its journal at least once. */
  get written(): boolean {
    return this.#written;
  }

  async read<T = unknown>(): Promise<T | undefined> {
    await this.settled();
    // The application wrote the entry, and knows its type.
    return (await this.#journal.read(this.#journalKey, this.#options())) as T | undefined;
  }

  async write(entry: unknown): Promise<void> {
    if (entry === undefined) {
      throw new TypeError(
        "operation.write(undefined) could not be told from no entry; write data.",
      );
    }
    this.#written = true;
    await this.#change(() => this.#journal.write(this.#journalKey, entry, this.#options()));
  }

  async remove(): Promise<void> {
    await this.#change(() => this.#journal.remove(this.#journalKey, this.#options()));
  }

  progress(progress: Progress): void {
    if (this.#open) this.#show(progress);
  }

  /** Resolves when no write or removal is on its way, whatever became of them. */
  async settled(): Promise<void> {
    while (this.#changes.size > 0) await Promise.allSettled(this.#changes);
  }

  /** What recovery and the failure table go by. */
  async entryState(): Promise<EntryState> {
    try {
      return (await this.read()) === undefined ? "none" : "written";
    } catch {
      return "unreadable";
    }
  }

  /** The claim is about to be settled: what the handler left running may not write any more. */
  close(): void {
    this.#open = false;
  }

  #change(change: () => Promise<void> | void): Promise<void> {
    if (!this.#open) throw new ClaimLostError();
    this.#lost?.throwIfAborted();
    // One after the other, also when the handler does not wait for them.
    const earlier = Promise.allSettled(this.#changes);
    const changing = earlier.then(() => {
      this.#lost?.throwIfAborted();
      return change();
    });
    this.#changes.add(changing);
    return changing.finally(() => this.#changes.delete(changing));
  }

  #options() {
    // A signal of its own that nobody aborts: the caller's leaving must not lose a correlation.
    return { signal: unaborted(), fence: this.fence, operationKey: this.key };
  }
}

/** What hooks see in a replay: the operation is done, and its entry went with it. */
export function replayedOperation(key: string): Operation {
  const refuse = () => Promise.reject(new ClaimLostError());
  return {
    key,
    fence: undefined,
    read: () => Promise.resolve(undefined),
    write: refuse,
    remove: refuse,
    progress: () => {},
  };
}
