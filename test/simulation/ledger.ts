/** The proof that an effect was applied. */
export interface Receipt {
  readonly receipt: string;
}

/** Somebody is in a handler, or in the recovery of one. */
interface Presence {
  readonly key: string;
  /** The page may go on: it is not dead, and does not know that it lost its claim. */
  readonly alive: () => boolean;
}

/**
 * The application's server, and what really happened there. Like a good one, it closes an attempt when it says that nothing
 * was applied: one that comes late is refused.
 */
export class Ledger {
  readonly #receipts = new Map<string, Receipt[]>();
  /** What was told of keys whose answers have expired since. */
  readonly #forgotten = new Set<string>();
  readonly #closed = new Map<string, number>();
  readonly #present = new Set<Presence>();
  readonly #violated: (what: string) => void;

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  effects(key: string): number {
    return this.#receipts.get(key)?.length ?? 0;
  }

  receipt(key: string): Receipt | undefined {
    return this.#receipts.get(key)?.[0];
  }

  /** The key's answer has expired: its next call is a new operation. */
  forget(key: string): void {
    for (const { receipt } of this.#receipts.get(key) ?? []) this.#forgotten.add(receipt);
    this.#receipts.delete(key);
  }

  /** This is what the key's callers may be told. */
  isAnswer(key: string, value: unknown): boolean {
    const { receipt } = (value ?? {}) as Partial<Receipt>;
    if (receipt === undefined) return false;
    return receipt === this.receipt(key)?.receipt || this.#forgotten.has(receipt);
  }

  /** A handler or a recovery begins. What it returns ends it. */
  enter(presence: Presence): () => void {
    for (const other of this.#present) {
      if (other.key === presence.key && other.alive()) {
        this.#violated(`Two live owners of "${presence.key}" at once.`);
      }
    }
    this.#present.add(presence);
    return () => void this.#present.delete(presence);
  }

  /** The effect. @throws if a later attempt has been told that this one was not applied. */
  apply(key: string, fence: number): Receipt {
    if (fence <= (this.#closed.get(key) ?? 0)) throw new Error("The attempt is closed.");
    const receipts = this.#receipts.get(key) ?? [];
    const receipt = { receipt: `${key} ${fence}` };
    this.#receipts.set(key, [...receipts, receipt]);
    if (receipts.length > 0) this.#violated(`A second effect of "${key}".`);
    return receipt;
  }

  /** What became of the attempt; one that was not applied never will be. */
  ask(key: string, fence: number): Receipt | undefined {
    const receipt = this.receipt(key);
    if (!receipt) this.#closed.set(key, Math.max(fence, this.#closed.get(key) ?? 0));
    return receipt;
  }
}
