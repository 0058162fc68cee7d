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
  /** The page's policy was found to forbid compiling text to code. */
  forbidsCode?: boolean;
  /** The one Trusted Types policy named `signett`: a second of that name would be refused and reported. */
  scriptUrls?: ScriptUrls | undefined;
}

/** What a Trusted Types policy for scripts does. */
export interface ScriptUrls {
  /** A `TrustedScriptURL`, which TypeScript's DOM does not know yet: workers take it as they take a URL. */
  createScriptURL(url: string): URL;
}

const KEY = Symbol.for("signett");

/** The document's shared state, made by the first copy that asks. */
export function shared(): Shared {
  const place = globalThis as { [KEY]?: Shared };
  place[KEY] ??= { names: new WeakMap(), profiles: new Map(), observers: new Set() };
  return place[KEY];
}
