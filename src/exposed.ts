import type { Profile } from "./contracts.js";
import type { Registration } from "./registration.js";
import type { Feed } from "./series.js";
import type { Tool } from "./tool.js";

/** A tool of any input, context and output, to be looked at rather than called. */
export type AnyTool = Omit<Tool<never, never, unknown>, "verify"> & { readonly verify?: unknown };

/** A tool that an interface exposes. */
export interface ExposedTool {
  readonly tool: AnyTool;
  readonly registration: Registration;
  /** Runs the pipeline as a host's call does; failures are thrown, whatever `failures` says. */
  call(input: unknown, signal: AbortSignal): Promise<unknown>;
}

/** What an interface shows to the instruments of its own document (the Inspector, activities), and to nobody else. */
export interface Inside {
  readonly profile: Profile | undefined;
  /** Tells of its calls. */
  readonly feed: Feed;
  exposed(): readonly ExposedTool[];
}

/** Registered, so that the instruments of another copy of the library find it. */
const INSIDE = Symbol.for("signett.inside");

/** Lets {@link insideOf} find what the interface shows. */
export function withInside<Interface extends object>(target: Interface, inside: Inside): Interface {
  return Object.assign(target, { [INSIDE]: inside });
}

/** @throws {TypeError} for what `createSignett` did not make. */
export function insideOf(target: object): Inside {
  const inside = (target as { readonly [INSIDE]?: Inside })[INSIDE];
  if (!inside) throw new TypeError("This is no interface that createSignett() made.");
  return inside;
}
