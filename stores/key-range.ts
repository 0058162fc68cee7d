const HIGHEST_UNIT = "\uffff";

/** Keys that begin with `prefix`; with `after`, which begins with it too, only later ones. */
export interface KeyStretch {
  readonly prefix: string;
  readonly after: string | undefined;
}

/** The range of these keys. */
export function keyRange({ prefix, after }: KeyStretch): IDBKeyRange {
  const start = after ?? prefix;
  const end = endOf(prefix);
  return end === undefined
    ? IDBKeyRange.lowerBound(start, after !== undefined)
    : IDBKeyRange.bound(start, end, after !== undefined, true);
}

/** The range of these keys in an index by state and key. */
export function keyRangeIn(state: string, { prefix, after }: KeyStretch): IDBKeyRange {
  // An array sorts after every text, so that it can stand for the end of the texts.
  const end = endOf(prefix) ?? [];
  return IDBKeyRange.bound([state, after ?? prefix], [state, end], after !== undefined, true);
}

/** The first text after all that begin with `prefix`; `undefined` if nothing comes after them. */
function endOf(prefix: string): string | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === HIGHEST_UNIT) length -= 1;
  if (length === 0) return undefined;
  return prefix.slice(0, length - 1) + String.fromCharCode(prefix.charCodeAt(length - 1) + 1);
}
