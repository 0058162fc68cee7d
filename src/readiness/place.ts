import { pointer } from "../pointer.js";
import { isRecord } from "./data.js";

/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

/** What `false` admits: no value at all. */
export const NOTHING: Schema = { enum: [] };

/** A schema, or a keyword's list or map of schemas, inside of a tool. There is one object for each place. */
export class Place {
  readonly schema: Schema;
  /** JSON Pointer into the tool. */
  readonly path: string;
  /** What `#` means here: the whole schema, or an embedded one with an `$id` of its own. */
  readonly resource: Place;
  readonly #members = new Map<string, Place>();

  constructor(value: unknown, path: string, resource?: Place) {
    this.schema = asSchema(value);
    this.path = path;
    this.resource = !resource || typeof this.schema.$id === "string" ? this : resource;
  }

  /** The place one step below, where `value` is. */
  member(key: string, value: unknown): Place {
    const known = this.#members.get(key);
    if (known) return known;
    const place = new Place(value, pointer(this.path, key), this.resource);
    this.#members.set(key, place);
    return place;
  }
}

/** Whatever is no schema says nothing about the input, as `true` does. */
function asSchema(value: unknown): Schema {
  if (value === false) return NOTHING;
  return isRecord(value) ? value : {};
}
