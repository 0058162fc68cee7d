import { isRecord } from "./data.js";
import type { Place } from "./place.js";

/** Far above any real schema, and reached within about a second. */
const MAX_STEPS = 200_000;

/** Reads one tool's schema, which can be anything. Every step counts, so that each reading ends. */
export class SchemaReader {
  #steps = 0;

  /** @throws {TypeError} when the schema has no end, or as good as none. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) throw new TypeError("The schema is too large to be checked.");
  }

  /** The place one step below, where `value` is. */
  member(parent: Place, key: string, value: unknown): Place {
    this.step();
    return parent.member(key, value);
  }

  /** The schema under a keyword such as `items`. */
  *one(parent: Place, keyword: string): Generator<Place> {
    const value = parent.schema[keyword];
    if (value !== undefined) yield this.member(parent, keyword, value);
  }

  /** The schemas in a keyword's array, such as those of `allOf`. */
  *list(parent: Place, keyword: string): Generator<readonly [key: string, Place]> {
    const value = parent.schema[keyword];
    if (!Array.isArray(value)) return;
    const list = this.member(parent, keyword, value);
    for (const [index, item] of value.entries()) {
      const key = String(index);
      yield [key, this.member(list, key, item)];
    }
  }

  /** The schemas in a keyword's map, such as those of `properties`. */
  *map(parent: Place, keyword: string): Generator<readonly [key: string, Place]> {
    const value = parent.schema[keyword];
    if (!isRecord(value)) return;
    const map = this.member(parent, keyword, value);
    for (const key of Object.keys(value)) yield [key, this.member(map, key, value[key])];
  }
}
