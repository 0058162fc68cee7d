declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** Ends what it stands for; works with `using` where the engine has it. */
export interface Disposing {
  /** Idempotent. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Adds `[Symbol.dispose]`, where the engine has that symbol. */
export function disposing<T extends { dispose(): void }>(object: T): T & Disposing {
  const symbol: symbol | undefined = Symbol.dispose;
  if (symbol) Object.defineProperty(object, symbol, { value: () => object.dispose() });
  return object as T & Disposing;
}
