import type { Operation, Recovery } from "../../../src/index.js";

/** What a handler of the tests gets. */
export interface Invocation {
  readonly operation: Operation | undefined;
  readonly signal: AbortSignal;
}

/** The proof that an effect was applied. */
export interface Receipt {
  readonly receipt: string;
}

/**
 * The application's server. Like a good one, it closes an attempt when it says that nothing was applied: one that comes
 * late is refused.
 */
export class Authority {
  readonly #effects = new Map<string, { readonly fence: number; readonly receipt: Receipt }[]>();
  readonly #closed = new Map<string, number>();

  /** How many effects this key has had. */
  effects(key: string): number {
    return this.#effects.get(key)?.length ?? 0;
  }

  /** The receipt of the effect that this attempt has had. */
  receiptOf(key: string, fence: number): Receipt | undefined {
    return this.#effects.get(key)?.find((effect) => effect.fence === fence)?.receipt;
  }

  /** Nothing was applied by this attempt or an earlier one, and nothing will be. */
  close(key: string, fence: number): void {
    this.#closed.set(key, Math.max(fence, this.#closed.get(key) ?? 0));
  }

  /** A handler that writes its journal immediately before its effect. */
  readonly execute = async ({ operation }: Invocation): Promise<Receipt> => {
    if (!operation) throw new TypeError("The tool has no key.");
    const { key, fence = 0 } = operation;
    await operation.write({ fence });
    return this.apply(key, fence);
  };

  /** The seed's `recover`: the entry says whether the effect can have happened, and the server whether it did. */
  readonly recover = async ({
    operation,
  }: Pick<Invocation, "operation">): Promise<Recovery<Receipt>> => {
    const entry = await operation?.read<{ fence: number }>();
    if (!operation || !entry) return { recovered: false };
    const output = this.receiptOf(operation.key, entry.fence);
    if (output) return { recovered: true, output };
    this.close(operation.key, entry.fence);
    return { recovered: false, outcome: "not_applied" };
  };

  /** The effect. @throws if a later attempt has been told that this one was not applied. */
  apply(key: string, fence: number): Receipt {
    if (fence <= (this.#closed.get(key) ?? 0)) throw new Error("This attempt is closed.");
    const effects = this.#effects.get(key) ?? [];
    const receipt = { receipt: `${key} ${effects.length + 1}` };
    this.#effects.set(key, [...effects, { fence, receipt }]);
    return receipt;
  }
}
