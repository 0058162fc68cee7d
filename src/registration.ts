import { unaborted } from "./abort.js";
import type { Definition } from "./definition.js";
import { type Disposing, disposing } from "./disposable.js";
import { SignettError } from "./errors.js";
import type { Emit } from "./events.js";
import { resultOf } from "./failure-result.js";
import { invoke, type Surface } from "./invocation.js";
import type { ModelContext, ModelContextTool } from "./model-context.js";
import { shared } from "./shared.js";
import type { Tool } from "./tool.js";

/** What the tools of one interface share when agents call them. */
interface ExposedSurface<Context> extends Surface<Context> {
  readonly failures: "throw" | "result";
}

/** What {@link register} needs. */
export interface RegisterOptions<Input, Context, Output> {
  readonly tool: Tool<Input, Context, Output>;
  readonly definition: Definition<Input, Context, Output>;
  readonly surface: ExposedSurface<Context>;
  readonly host: ModelContext;
  readonly signal: AbortSignal | undefined;
}

/** The lifetime of one tool in the current document. */
export interface Registration extends Disposing {
  readonly name: string;
  readonly status: "registered" | "unsupported" | "disposed";
  /** Takes the tool away from agents. Calls that run go on; doing it twice is fine. */
  dispose(): void;
}

/** Registers a tool with the host. The signal ends the registration, also while it is on its way. */
export async function register<Input, Context, Output>(
  { tool, definition, surface, host, signal }: RegisterOptions<Input, Context, Output>,
  emit: Emit,
): Promise<Registration> {
  const { name, exposedTo } = tool;
  const freeName = claimName(host, name);
  let lifetime: AbortController | undefined = new AbortController();
  const { signal: ended } = lifetime;
  let status: Registration["status"] | "registering" = "registering";
  const dispose = (reason?: unknown) => {
    if (status === "disposed") return;
    const registered = status === "registered";
    status = "disposed";
    // At once: the name can be exposed again in the same tick.
    freeName();
    lifetime?.abort(reason);
    // What the host has hung on its signal holds the tool and its compiled schema.
    lifetime = undefined;
    if (registered) emit("unregistered");
  };
  signal?.addEventListener("abort", () => dispose(signal.reason), { once: true });
  try {
    await host.registerTool(
      toolFor(tool, definition, surface, () => status === "disposed"),
      { signal: ended, ...(exposedTo && { exposedTo: [...exposedTo] }) },
    );
    ended.throwIfAborted();
  } catch (error) {
    freeName();
    throw error;
  }
  status = "registered";
  emit("registered");
  return registration(
    name,
    () => (status === "disposed" ? status : "registered"),
    () => dispose(),
  );
}

/** What stands in for a registration where there is no host. */
export function unsupportedRegistration(
  name: string,
  signal: AbortSignal | undefined,
): Registration {
  let status: Registration["status"] = "unsupported";
  const dispose = () => {
    status = "disposed";
  };
  signal?.addEventListener("abort", dispose, { once: true });
  return registration(name, () => status, dispose);
}

function registration(
  name: string,
  status: () => Registration["status"],
  dispose: () => void,
): Registration {
  return disposing({
    name,
    get status() {
      return status();
    },
    dispose,
  });
}

/** Takes the name and returns what gives it back, once. */
function claimName(host: ModelContext, name: string): () => void {
  const exposed = shared().names;
  const names = exposed.get(host) ?? new Set<string>();
  exposed.set(host, names);
  if (names.has(name)) {
    throw new TypeError(`Tool "${name}": \`name\` is already exposed in this document.`);
  }
  names.add(name);
  let taken = true;
  return () => {
    if (taken) names.delete(name);
    taken = false;
  };
}

function toolFor<Input, Context, Output>(
  { name, title, description, inputSchema, annotations }: Tool<Input, Context, Output>,
  definition: Definition<Input, Context, Output>,
  surface: ExposedSurface<Context>,
  isDisposed: () => boolean,
): ModelContextTool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations && { annotations }),
    async execute(input, options) {
      if (isDisposed()) {
        throw new DOMException(
          `The tool "${name}" is not registered any more.`,
          "InvalidStateError",
        );
      }
      const signal = options?.signal ?? unaborted();
      try {
        // Hosts turn `undefined` into the text "undefined".
        return (await invoke(definition, surface, input, signal)) ?? null;
      } catch (error) {
        if (surface.failures === "result" && error instanceof SignettError) return resultOf(error);
        throw error;
      }
    },
  };
}
