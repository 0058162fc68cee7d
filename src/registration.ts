import type { Definition } from "./definition.js";
import { type Disposing, disposing } from "./disposable.js";
import type { Emit } from "./events.js";
import { invoke, type Surface } from "./invocation.js";
import type { ModelContext, ModelContextTool } from "./model-context.js";

/** The lifetime of one tool in the current document. */
export interface Registration extends Disposing {
  readonly name: string;
  readonly status: "registered" | "unsupported" | "disposed";
  /** Takes the tool away from agents. Calls that run go on; doing it twice is fine. */
  dispose(): void;
}

/** Names that are exposed, by host: a tool's name is its own in the whole document. */
const exposed = new WeakMap<ModelContext, Set<string>>();

/** Registers a tool with the host. */
export async function register<Input, Context, Output>(
  definition: Definition<Input, Context, Output>,
  surface: Surface<Context>,
  host: ModelContext,
  emit: Emit,
): Promise<Registration> {
  const { name, exposedTo } = definition.tool;
  const names = claimName(host, name);
  const lifetime = new AbortController();
  let disposed = false;
  const dispose = () => {
    if (disposed) return;
    disposed = true;
    names.delete(name);
    lifetime.abort();
    emit("unregistered");
  };
  try {
    await host.registerTool(
      toolFor(definition, surface, () => disposed),
      { signal: lifetime.signal, ...(exposedTo && { exposedTo: [...exposedTo] }) },
    );
  } catch (error) {
    names.delete(name);
    throw error;
  }
  emit("registered");
  return registration(name, () => (disposed ? "disposed" : "registered"), dispose);
}

/** What stands in for a registration where there is no host. */
export function unsupportedRegistration(name: string): Registration {
  let disposed = false;
  return registration(
    name,
    () => (disposed ? "disposed" : "unsupported"),
    () => {
      disposed = true;
    },
  );
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

function claimName(host: ModelContext, name: string): Set<string> {
  const names = exposed.get(host) ?? new Set<string>();
  exposed.set(host, names);
  if (names.has(name)) {
    throw new TypeError(`Tool "${name}": \`name\` is already exposed in this document.`);
  }
  return names.add(name);
}

function toolFor<Input, Context, Output>(
  definition: Definition<Input, Context, Output>,
  surface: Surface<Context>,
  isDisposed: () => boolean,
): ModelContextTool {
  const { name, title, description, inputSchema, annotations } = definition.tool;
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
      const signal = options?.signal ?? new AbortController().signal;
      // Hosts turn `undefined` into the text "undefined".
      return (await invoke(definition, surface, input, signal)) ?? null;
    },
  };
}
