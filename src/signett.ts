import { type Clock, systemClock } from "./clock.js";
import type { Profile } from "./contracts.js";
import { checkDescription, define } from "./definition.js";
import type { Emit, Observer } from "./events.js";
import { type ExposedTool, withInside } from "./exposed.js";
import { type ContextHook, invoke } from "./invocation.js";
import { prepare } from "./machinery.js";
import type { ModelContext } from "./model-context.js";
import { Observers } from "./observers.js";
import { type Registration, register, unsupportedRegistration } from "./registration.js";
import type { DataOf } from "./schema-types.js";
import type { Tool } from "./tool.js";
import type { SchemaValidator } from "./validation/validator.js";

/** Options of {@link createSignett} (core concepts seed, "The Signett interface"). */
export interface SignettOptions<Context> {
  /** Reads the application's own state, once per invocation. */
  readonly context?: ContextHook<Context>;
  /** Receives lifecycle metadata of every tool of this interface. */
  readonly observe?: Observer;
  /** What `expose` does in a browser without WebMCP. Default `"ignore"`. */
  readonly unsupported?: "ignore" | "warn" | "throw";
  /** A host to use in place of `document.modelContext`: a test harness or a bridge. */
  readonly modelContext?: ModelContext;
  /** The store and journal that idempotent tools use unless they name their own. */
  readonly profile?: Profile;
  /**
   * What compiles the schemas of tools without a `validate` of their own: `ajvValidator` or `interpretedValidator` from
   * `signett/validation`, or another. Default: Ajv; where the page's policy forbids it to generate code, the interpreter, with a
   * console warning.
   */
  readonly validator?: SchemaValidator;
  /**
   * How agents learn of the failures that Signett decides on. WebMCP's `executeTool` drops every thrown error's message, so
   * `"result"` returns them in the shape of an MCP `CallToolResult`. Exceptions of the application are thrown in both
   * modes. Default `"throw"`.
   */
  readonly failures?: "throw" | "result";
}

/** Options of {@link Signett.expose}. */
export interface ExposeOptions {
  /**
   * Ends the registration as `dispose()` does, and can do so while it is still on its way: `expose` then rejects with the
   * signal's reason, and nothing is left registered.
   */
  readonly signal?: AbortSignal;
}

/** One WebMCP-facing surface and its shared application context. */
export interface Signett<Context> {
  /**
   * Registers a tool with the browser. `Input` is what `execute` annotates, else what a literal `inputSchema` admits.
   * @throws {TypeError} that names the tool and the field, before anything is registered.
   */
  expose<const Schema extends object, Output, Input = DataOf<Schema>>(
    tool: Tool<Input, Context, Output, Schema>,
    options?: ExposeOptions,
  ): Promise<Registration>;
  /** The registrations that are not disposed. */
  tools(): readonly Registration[];
  /** Adds an observer; what it returns removes it. */
  observe(observer: Observer): () => void;
}

/** Creates an interface between one application surface and WebMCP. It reads nothing of the browser before `expose`. */
export function createSignett<Context = undefined>(
  options: SignettOptions<Context> = {},
): Signett<Context> {
  return createSignettAt(systemClock, options);
}

/** {@link createSignett} on a clock of its own. */
export function createSignettAt<Context = undefined>(
  clock: Clock,
  options: SignettOptions<Context>,
): Signett<Context> {
  const {
    context,
    observe,
    unsupported = "ignore",
    profile,
    validator,
    failures = "throw",
  } = options;
  const observers = new Observers(clock, profile?.activity);
  if (observe) observers.add(observe);
  const surface = { context, observers, clock, failures };
  const exposed = new Set<ExposedTool>();

  async function expose<Input, Output>(
    tool: Tool<Input, Context, Output>,
    signal: AbortSignal | undefined,
  ): Promise<ExposedTool> {
    const host = options.modelContext ?? nativeModelContext();
    const { emit } = observers.series(tool.name);
    emit("registering");
    try {
      checkDescription(tool);
      const definition = define(tool, { profile, validator });
      await prepare(definition);
      signal?.throwIfAborted();
      const registration = host
        ? await register({ tool, definition, surface, host, signal }, emit)
        : unregistered(tool.name, signal, emit);
      return {
        tool,
        registration,
        call: (input, caller) => invoke(definition, surface, input, caller),
      };
    } catch (error) {
      if (signal?.aborted) emit("unregistered");
      else emit("registration_failed", error);
      throw error;
    }
  }

  function current(): readonly ExposedTool[] {
    for (const one of exposed) {
      if (one.registration.status === "disposed") exposed.delete(one);
    }
    return [...exposed];
  }

  function unregistered(name: string, signal: AbortSignal | undefined, emit: Emit): Registration {
    report(unsupported, name);
    emit("unsupported");
    return unsupportedRegistration(name, signal);
  }

  const signett: Signett<Context> = {
    async expose(tool, { signal } = {}) {
      const one = await expose(tool, signal);
      // Or tools that are gone would keep their compiled schemas here.
      current();
      exposed.add(one);
      return one.registration;
    },
    tools: () => current().map(({ registration }) => registration),
    observe: (observer) => observers.add(observer),
  };
  return withInside(signett, { profile, feed: observers, exposed: current });
}

function nativeModelContext(): ModelContext | undefined {
  const { document } = globalThis as { document?: { modelContext?: ModelContext } };
  return document?.modelContext;
}

function report(unsupported: "ignore" | "warn" | "throw", name: string): void {
  if (unsupported === "ignore") return;
  const message =
    `Tool "${name}" was not registered: this browser has no WebMCP (document.modelContext). ` +
    "Use one that has it, or pass `modelContext`.";
  if (unsupported === "throw") throw new DOMException(message, "NotSupportedError");
  console.warn(`Signett: ${message}`);
}
