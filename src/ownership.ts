import { unaborted } from "./abort.js";
import type { Begun, IdempotencyStore, OperationJournal, Progress } from "./contracts.js";
import { ClaimLostError } from "./errors.js";
import { ClaimedOperation } from "./operation.js";
import type { Series } from "./series.js";

/** Which claim, and where its entry is. */
export interface OwnershipOptions {
  readonly store: IdempotencyStore;
  readonly journal: OperationJournal;
  readonly joined: boolean;
  readonly key: string;
  readonly journalKey: string;
  /** What the claim told the store about its journal. */
  readonly sharedJournal: string | undefined;
  readonly begun: Exclude<Begun, { state: "completed" }>;
  /** The store was asked for a reservation, so the claim is not started yet. */
  readonly reserved: boolean;
  readonly series: Series;
}

/**
 * One claim from its grant to its settlement. Settling waits for the call's own journal writes, and goes on for a caller
 * who has left.
 */
export class Ownership {
  /** The handler's journal access, which ends with the handler. */
  readonly operation: ClaimedOperation;
  /** That of the hooks which look at what the handler left. */
  readonly review: ClaimedOperation;
  readonly #options: OwnershipOptions;
  #settled = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    const { series, begun } = options;
    const { fence, lost } = begun;
    const show = (progress: Progress) => series.progress(progress);
    const place = { ...options, fence, lost, show };
    this.operation = new ClaimedOperation(place);
    this.review = new ClaimedOperation(place);
  }

  /** The claim was settled, or somebody else has it. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Other tabs take this one for dead. */
  get lost(): boolean {
    return this.#options.begun.lost?.aborted === true;
  }

  /** The handler is about to be entered. `takeover`: recovery proved that an earlier one took no effect. */
  async start({ takeover }: { readonly takeover: boolean }): Promise<void> {
    const { store, joined, reserved, key, sharedJournal } = this.#options;
    if (reserved || takeover) {
      const options = { ...this.#claim(), fresh: takeover, journalKey: sharedJournal };
      try {
        await store.start?.(key, options);
      } catch (error) {
        this.#settled = error instanceof ClaimLostError;
        throw error;
      }
    }
    // An earlier life's entry says nothing about this handler. A profile clears it with the claim itself; elsewhere it
    // goes once the claim is known to be still this call's, or it would be the next owner's.
    if (!joined && !this.lost) await this.#removeEntry();
  }

  /** The handler has ended: what it left running may not write any more, and what it wrote has arrived. */
  async handlerEnded(): Promise<void> {
    this.operation.close();
    await this.operation.settled();
  }

  /** Stores the verified output. @throws what storing threw; the claim is then still open. */
  async complete(output: unknown): Promise<void> {
    const { store, joined, key, series } = this.#options;
    await this.#quiet();
    try {
      await store.complete(key, output, this.#claim());
      this.#settled = true;
    } catch (error) {
      this.#settled = error instanceof ClaimLostError;
      throw error;
    }
    if (joined) return;
    // Stores that are apart: complete first. A leftover entry is cleared by the key's next owner.
    await this.#removeEntry().catch((error: unknown) => series.emit("cleanup_failed", error));
  }

  /**
   * Nothing happened: the key is free again. An entry in a journal that is apart is left to the key's next owner, who
   * clears it: this tab may have lost its claim without knowing, and would remove that owner's.
   */
  async release(): Promise<void> {
    const { store, key } = this.#options;
    await this.#settle(async () => {
      try {
        await store.release(key, this.#claim());
      } catch (error) {
        // Doubt is better than a key that a live tab keeps from everybody.
        await store.abandon(key, this.#claim()).catch(() => {});
        throw error;
      }
    });
  }

  /** What happened can't be told: the next caller has to recover. */
  async abandon({ executed }: { readonly executed: boolean }): Promise<void> {
    const { store, key } = this.#options;
    await this.#settle(() => store.abandon(key, { ...this.#claim(), executed }));
  }

  /** A failure while cleaning up is reported, and never replaces the error that is being handled. */
  async #settle(settle: () => Promise<void>): Promise<void> {
    this.#settled = true;
    try {
      await this.#quiet();
      await settle();
    } catch (error) {
      this.#options.series.emit("cleanup_failed", error);
      if (error instanceof ClaimLostError && error.completed) throw error;
    }
  }

  async #quiet(): Promise<void> {
    this.review.close();
    await this.handlerEnded();
    await this.review.settled();
  }

  async #removeEntry(): Promise<void> {
    const { journal, key, journalKey } = this.#options;
    await journal.remove(journalKey, { ...this.#claim(), operationKey: key });
  }

  #claim() {
    return { signal: unaborted(), fence: this.#options.begun.fence };
  }
}
