import type { CallStep, Key } from "./plan.js";

/** The proof that an effect was applied. */
export interface Receipt {
  readonly receipt: string;
  /** What its caller meant. */
  readonly intent: CallStep["intent"];
}

interface Effect {
  readonly fence: number;
  readonly receipt: Receipt;
}

/** Somebody is in a handler, or in the recovery of one. */
interface Presence {
  readonly key: string;
  /** The page may go on: it is not dead, and does not know that it lost its claim. */
  readonly alive: () => boolean;
}

/**
 * The application's server, and what really happened there. Like a good one, it knows an attempt by the correlation that its
 * handler sent and wrote down, the claim's fence, and closes the attempt when it says that nothing was applied: one that comes
 * late is refused.
 */
export class Ledger {
  readonly #effects = new Map<string, readonly Effect[]>();
  /** What was told of keys whose answers have expired since. */
  readonly #forgotten = new Set<string>();
  readonly #closed = new Map<string, number>();
  readonly #present = new Set<Presence>();
  readonly #violated: (what: string) => void;

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  effects(key: string): number {
    return this.#effects.get(key)?.length ?? 0;
  }

  /** The key's answer has expired: its next call is a new operation. */
  forget(key: string): void {
    for (const { receipt } of this.#effects.get(key) ?? []) this.#forgotten.add(receipt.receipt);
    this.#effects.delete(key);
  }

  /** This is what a caller may be told. */
  isAnswer({ key, intent }: Pick<CallStep, "key" | "intent">, value: unknown): boolean {
    const told = (value ?? {}) as Partial<Receipt>;
    if (told.receipt === undefined || told.intent !== intent) return false;
    const [effect] = this.#effects.get(key) ?? [];
    return told.receipt === effect?.receipt.receipt || this.#forgotten.has(told.receipt);
  }

  /** A handler or a recovery begins. What it returns ends it. */
  enter(presence: Presence): () => void {
    this.#present.add(presence);
    this.look();
    return () => void this.#present.delete(presence);
  }

  /** A key has one live owner: also one that comes back to life. */
  look(): void {
    const owned = new Set<string>();
    for (const { key, alive } of this.#present) {
      if (!alive()) continue;
      if (owned.has(key)) this.#violated(`Two live owners of "${key}" at once.`);
      owned.add(key);
    }
  }

  /** The effect. @throws if a later attempt has been told that this one was not applied. */
  apply({ key, intent }: Pick<CallStep, "key" | "intent">, fence: number): Receipt {
    if (fence <= (this.#closed.get(key) ?? 0)) throw new Error("The attempt is closed.");
    const effects = this.#effects.get(key) ?? [];
    const receipt = { receipt: `${key} ${fence}`, intent };
    this.#effects.set(key, [...effects, { fence, receipt }]);
    if (effects.length > 0) this.#violated(`A second effect of "${key}".`);
    return receipt;
  }

  /** What became of the attempt; one that was not applied never will be. */
  ask(key: Key, fence: number): Receipt | undefined {
    const effect = this.#effects.get(key)?.find((other) => other.fence === fence);
    if (!effect) this.#close(key, fence);
    return effect?.receipt;
  }

  /** What became of all attempts before this one. */
  askByKey(key: Key, fence: number): Receipt | undefined {
    const [effect] = this.#effects.get(key) ?? [];
    if (!effect) this.#close(key, fence - 1);
    return effect?.receipt;
  }

  #close(key: Key, fence: number): void {
    this.#closed.set(key, Math.max(fence, this.#closed.get(key) ?? 0));
  }
}
