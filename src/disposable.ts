/** `[Symbol.dispose]`, for programs whose `lib` has that symbol. */
type DisposeMethod = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol }
  ? { readonly [Key in Dispose]: () => void }
  : unknown;

/** Ends what it stands for; works with `using` where the engine has it. */
export type Disposing = DisposeMethod & {
  /** Idempotent. */
  dispose(): void;
};

/** Adds `[Symbol.dispose]`, where the engine has that symbol. */
export function disposing<T extends { dispose(): void }>(object: T): T & Disposing {
  const symbol: symbol | undefined = Reflect.get(Symbol, "dispose");
  if (symbol) Object.defineProperty(object, symbol, { value: () => object.dispose() });
  return object as T & Disposing;
}
