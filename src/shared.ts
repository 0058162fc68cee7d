import type { Observer } from "./events.js";

/**
 * What all copies of the library in one document share: bundlers and tag managers load more than one, of different builds.
 * A later build may add members and must not change these.
 */
export interface Shared {
  /** Names of exposed tools, by host: a name is its tool's own in the whole document. */
  readonly names: WeakMap<object, Set<string>>;
  /** Open profiles, by namespace. */
  readonly profiles: Map<string, unknown>;
  /** See the events of every interface of the document. */
  readonly observers: Set<Observer>;
}

const KEY = Symbol.for("signett");

/** The document's shared state, made by the first copy that asks. */
export function shared(): Shared {
  const place = globalThis as { [KEY]?: Shared };
  place[KEY] ??= { names: new WeakMap(), profiles: new Map(), observers: new Set() };
  return place[KEY];
}
