import { OutputError } from "./errors.js";
import { pointer } from "./pointer.js";

/**
 * Copies an output as JSON data, as `JSON.stringify` sees it, so that the first caller and every replay get the same.
 * `undefined` is allowed at the top.
 *
 * @throws {OutputError} that names the path: functions, symbols, big integers, maps, class instances with internals and
 * cycles are refused rather than changed without a word.
 */
export function jsonCopy(output: unknown): unknown {
  return copy(output, "", { path: "", ancestors: new Set() });
}

interface Place {
  /** JSON Pointer. */
  readonly path: string;
  /** The objects that are being copied right now. */
  readonly ancestors: Set<object>;
}

function copy(value: unknown, key: string, place: Place): unknown {
  const data =
    typeof value === "object" || typeof value === "bigint" ? converted(value, key) : value;
  switch (typeof data) {
    case "string":
    case "boolean":
      return data;
    case "number":
      return jsonNumber(data);
    case "undefined":
      return undefined;
    case "object":
      return data === null ? null : copyObject(data, place);
    case "function":
    case "symbol":
    case "bigint":
      throw new OutputError(place.path, `a ${typeof data}`);
    default:
      throw new OutputError(place.path, "of an unknown type");
  }
}

/** `Date` and everything else with a `toJSON` says itself what it is. */
function converted(value: unknown, key: string): unknown {
  const { toJSON } = Object(value) as { toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, key) : value;
}

function copyObject(value: object, { path, ancestors }: Place): unknown {
  if (value instanceof Number) return jsonNumber(value.valueOf());
  if (value instanceof String || value instanceof Boolean) return value.valueOf();
  const internals = internalsOf(value);
  if (internals) throw new OutputError(path, internals);
  if (ancestors.has(value))
    throw new OutputError(path, "a reference to an object that contains it");
  ancestors.add(value);
  const inside = (key: string | number): Place => ({ path: pointer(path, key), ancestors });
  const copied = Array.isArray(value) ? copyArray(value, inside) : copyRecord(value, inside);
  ancestors.delete(value);
  return copied;
}

type Inside = (key: string | number) => Place;

/** A hole or `undefined` in an array is `null` in JSON. */
const copyArray = (array: readonly unknown[], inside: Inside): unknown[] =>
  Array.from(array, (item, index) => copy(item, String(index), inside(index)) ?? null);

function copyRecord(value: object, inside: Inside): unknown {
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const copied = copy(item, key, inside(key));
    if (copied !== undefined) entries.push([key, copied]);
  }
  // Not by assignment: a key named `__proto__` is data like any other.
  return Object.fromEntries(entries);
}

/** JSON has neither infinities nor a negative zero. */
const jsonNumber = (number: number): number | null =>
  Number.isFinite(number) ? (number === 0 ? 0 : number) : null;

/** Objects whose content JSON can't see would come out as `{}`. */
function internalsOf(value: object): string | undefined {
  if (Array.isArray(value)) return undefined;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? undefined : `an object of type ${tag}`;
}

/** Bytes of the output as JSON in UTF-8, or `undefined` where that can't be told. */
export function jsonBytes(output: unknown): number | undefined {
  try {
    const text = JSON.stringify(output);
    return text === undefined ? 0 : new TextEncoder().encode(text).byteLength;
  } catch {
    return undefined;
  }
}
