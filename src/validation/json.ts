import { isRecord } from "../readiness/data.js";

/** What compiled schemas call to compare JSON data. */
export const json = { isEqual, isOneOf, isMultiple, areUnique, lengthOf, has };

/** Whatever the fields are called: a field `valueOf` or `constructor` is data. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => has(b, key) && isEqual(a[key], b[key]))
  );
}

function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  return values.some((candidate) => isEqual(value, candidate));
}

function areUnique(items: readonly unknown[]): boolean {
  return items.every((item, index) => !isOneOf(item, items.slice(0, index)));
}

/** In characters, as the draft counts: a pair of surrogates is one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

function has(object: object, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** Exact in decimal: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const [digits, exponent] = decimal(value);
  const [ofDigits, ofExponent] = decimal(of);
  const shift = BigInt(Math.abs(exponent - ofExponent));
  return exponent >= ofExponent
    ? (digits * 10n ** shift) % ofDigits === 0n
    : digits % (ofDigits * 10n ** shift) === 0n;
}

/** The number as whole digits times a power of ten. */
function decimal(value: number): readonly [digits: bigint, exponent: number] {
  const [coefficient = "", exponent = "0"] = String(Math.abs(value)).split("e");
  const [whole = "", fraction = ""] = coefficient.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
