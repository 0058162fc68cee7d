/** The database of stores and journals, unless the application names another. */
export const DEFAULT_NAME = "signett-stores";

/**
 * The lock that a key's owner holds. A digest stands for the key, which may be personal. Two keys with one digest would
 * only wait for each other, because records are kept by the key itself.
 */
export const keyLock = (name: string, key: string): string => `${name}:key:${digest(key)}`;

/** FNV-1a, 64 bits. At once, unlike Web Crypto's, so that calls of one tab ask for their locks in their order. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
