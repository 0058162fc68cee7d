import { isRecord } from "./data.js";
import type { Place } from "./place.js";
import type { SchemaReader } from "./reader.js";

/**
 * Follows references inside of one schema: `#`, `#/$defs/address`, `#address`. What lies outside is not looked up,
 * because agents can't look it up either.
 */
export class References {
  readonly #reader: SchemaReader;
  readonly #anchors = new Map<Place, ReadonlyMap<string, Place>>();

  constructor(reader: SchemaReader) {
    this.#reader = reader;
  }

  /** The schema that a reference at this place means, or `undefined`. */
  resolve({ resource }: Place, reference: unknown): Place | undefined {
    if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
    const fragment = decoded(reference.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === "") return resource;
    if (fragment.startsWith("/")) return this.#follow(resource, fragment);
    return this.#anchorsOf(resource).get(fragment);
  }

  #follow(resource: Place, fragment: string): Place | undefined {
    let value: unknown = resource.schema;
    let place = resource;
    for (const token of fragment.slice(1).split("/")) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null) return undefined;
      if (!Object.hasOwn(value, key)) return undefined;
      value = Reflect.get(value, key);
      place = this.#reader.member(place, key, value);
    }
    return isRecord(value) || typeof value === "boolean" ? place : undefined;
  }

  #anchorsOf(resource: Place): ReadonlyMap<string, Place> {
    const known = this.#anchors.get(resource);
    if (known) return known;
    const anchors = this.#findAnchors(resource);
    this.#anchors.set(resource, anchors);
    return anchors;
  }

  #findAnchors(resource: Place): ReadonlyMap<string, Place> {
    const anchors = new Map<string, Place>();
    const seen = new Set<object>();
    const pending: (readonly [object, Place])[] = [[resource.schema, resource]];
    for (const [value, place] of pending) {
      if (seen.has(value) || place.resource !== resource) continue;
      seen.add(value);
      for (const anchor of [place.schema.$anchor, place.schema.$dynamicAnchor]) {
        if (typeof anchor === "string" && !anchors.has(anchor)) anchors.set(anchor, place);
      }
      for (const [key, member] of Object.entries(value)) {
        if (typeof member !== "object" || member === null) continue;
        pending.push([member, this.#reader.member(place, key, member)]);
      }
    }
    return anchors;
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
