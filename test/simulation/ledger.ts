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

/** One operation of a key: from its first claim until its answer, or its doubt, is forgotten. Then comes another one. */
interface Operation {
  readonly effects: Effect[];
  /** Its last fence, once it is forgotten. */
  through: number;
  /** The step from which on no call may begin and be given its answer. */
  goneSince: number;
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
  /** The operations of each key, the present one last. */
  readonly #operations = new Map<string, Operation[]>();
  readonly #closed = new Map<string, number>();
  readonly #present = new Set<Presence>();
  readonly #violated: (what: string) => void;

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  /** Effects of the present operation. */
  effects(key: string): number {
    return this.#now(key).effects.length;
  }

  /** The answer of the present operation. */
  answer(key: string): Receipt["receipt"] | undefined {
    return this.#now(key).effects[0]?.receipt.receipt;
  }

  /** The operation is forgotten, and with it all attempts up to this fence: the next call of its key is a new one. */
  forget(key: string, fence: number): void {
    this.#now(key).through = fence;
    this.#all(key).push(anew());
  }

  /** What was forgotten last is remembered again: that was not on the disk. */
  remember(key: string, fence: number): void {
    const all = this.#all(key);
    const reopened = all.splice(all.findIndex(({ through }) => fence <= through));
    all.push({ ...anew(), effects: reopened.flatMap(({ effects }) => effects) });
  }

  /** From this step on no call may begin and be given an answer of the key that is forgotten. */
  isGone(key: string, since: number): void {
    for (const operation of this.#all(key)) {
      if (operation.through === Number.POSITIVE_INFINITY) continue;
      operation.goneSince = Math.min(operation.goneSince, since);
    }
  }

  /** The step from which on no call may begin and be told this; `undefined`: it may never be told to a caller of this intent. */
  goneSince({ key, intent }: Pick<CallStep, "key" | "intent">, value: unknown): number | undefined {
    const told = (value ?? {}) as Partial<Receipt>;
    if (told.receipt === undefined || told.intent !== intent) return undefined;
    const isTold = ({ effects }: Operation) => effects[0]?.receipt.receipt === told.receipt;
    return this.#all(key).find(isTold)?.goneSince;
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
    const { effects } = this.#at(key, fence);
    const receipt = { receipt: `${key} ${fence}`, intent };
    if (effects.length > 0) this.#violated(`A second effect of "${key}".`);
    effects.push({ fence, receipt });
    return receipt;
  }

  /** What became of the attempt; one that was not applied never will be. */
  ask(key: Key, fence: number): Receipt | undefined {
    const effect = this.#at(key, fence).effects.find((other) => other.fence === fence);
    if (!effect) this.#close(key, fence);
    return effect?.receipt;
  }

  /** What became of the claim's operation; what its attempts up to `last` have not applied never will be. */
  askByKey(key: Key, fence: number, last = fence - 1): Receipt | undefined {
    const [effect] = this.#at(key, fence).effects;
    if (!effect) this.#close(key, last);
    return effect?.receipt;
  }

  #all(key: string): Operation[] {
    const all = this.#operations.get(key) ?? [anew()];
    this.#operations.set(key, all);
    return all;
  }

  #now(key: string): Operation {
    return this.#at(key, Number.POSITIVE_INFINITY);
  }

  #at(key: string, fence: number): Operation {
    const operation = this.#all(key).find(({ through }) => fence <= through);
    if (!operation) throw new RangeError("The present operation has no last fence.");
    return operation;
  }

  #close(key: Key, fence: number): void {
    this.#closed.set(key, Math.max(fence, this.#closed.get(key) ?? 0));
  }
}

const anew = (): Operation => ({
  effects: [],
  through: Number.POSITIVE_INFINITY,
  goneSince: Number.POSITIVE_INFINITY,
});
