import { unaborted } from "./abort.js";
import { systemClock } from "./clock.js";
import type { Profile } from "./contracts.js";
import { type Controls, define } from "./definition.js";
import type { Observer } from "./events.js";
import { type ContextHook, invoke } from "./invocation.js";
import { Observers } from "./observers.js";
import type { DataOf } from "./schema-types.js";
import type { SchemaValidator } from "./validation/validator.js";

/** What {@link guard} takes beside the function: a tool's controls, and its surroundings. */
export interface GuardOptions<Input, Context, Output, Schema extends object = object>
  extends Omit<Controls<Input, Context, Output>, "execute" | "inputSchema"> {
  /** JSON Schema, draft 2020-12. It is compiled by the first call. */
  readonly inputSchema: Schema;
  /** Reads the application's own state, once per call. */
  readonly context?: ContextHook<Context>;
  /** Receives lifecycle metadata. */
  readonly observe?: Observer;
  /** The store and journal that are used unless the options name their own. */
  readonly profile?: Profile;
  /** What compiles `inputSchema`. Default: as of `createSignett`. */
  readonly validator?: SchemaValidator;
}

/** A function with the pipeline around it. */
export type Guarded<Output> = (
  input: unknown,
  options?: { readonly signal?: AbortSignal },
) => Promise<Output>;

/**
 * Puts the pipeline of `expose` around one function, and registers nothing: for calls from the application's own code
 * that must share keys, checks and answers with its tools.
 *
 * @throws {TypeError} that names the tool and the field. A schema that does not compile rejects the first call.
 */
export function guard<
  const Schema extends object,
  Output,
  Context = undefined,
  Input = DataOf<Schema>,
>(
  execute: Controls<Input, Context, Output>["execute"],
  {
    context,
    observe,
    profile,
    validator,
    ...controls
  }: GuardOptions<Input, Context, Output, Schema>,
): Guarded<Output> {
  const definition = define({ ...controls, execute }, { profile, validator });
  const observers = new Observers(systemClock, profile?.activity);
  if (observe) observers.add(observe);
  return (input, { signal = unaborted() } = {}) =>
    invoke(definition, { context, observers, clock: systemClock }, input, signal);
}
