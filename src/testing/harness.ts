import type { ModelContext, ModelContextTool } from "../model-context.js";

/** A registered tool as an agent finds it: everything but its function. */
export interface DiscoveredTool extends Omit<ModelContextTool, "execute"> {
  /** The origins that it was exposed to. */
  exposedTo?: string[];
}

/** Options of {@link WebMcpTestHarness.invoke}. */
export interface InvokeOptions {
  /** The agent's wish to cancel. The tool gets this very signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A WebMCP host without a browser or a model (core concepts seed, "Readiness and deterministic testing"). */
export interface WebMcpTestHarness {
  /** Pass it to `createSignett({ modelContext })`. It registers, and refuses, as Chromium does. */
  readonly modelContext: ModelContext;
  /** The tools that an agent would find now, in the order of their registration. */
  tools(): DiscoveredTool[];
  /**
   * Calls a tool as a host does: the input goes through JSON and is not validated. Gives what the tool gave, as it is, and
   * rejects with the tool's own error. A cancelled call ends as the tool ends it, so that a test sees what the tool made
   * of the cancellation; a native host would no longer tell its caller.
   * @param input Default: an object without fields.
   * @throws {DOMException} `NotFoundError`, with the names of the registered tools, when there is none of this name; the
   * signal's reason, when it was aborted before the call.
   */
  invoke(name: string, input?: unknown, options?: InvokeOptions): Promise<unknown>;
}

interface Registered {
  readonly description: string;
  readonly execute: ModelContextTool["execute"];
}

/** Creates a host of its own: nothing is shared with other harnesses or with the document. */
export function createWebMcpTestHarness(): WebMcpTestHarness {
  const registered = new Map<string, Registered>();

  return {
    modelContext: {
      async registerTool(tool, { signal, exposedTo } = {}) {
        const { name, execute } = tool;
        checkRegistration(tool, registered);
        const description = JSON.stringify(descriptionOf(tool, exposedTo));
        signal?.throwIfAborted();
        registered.set(name, { description, execute });
        signal?.addEventListener("abort", () => registered.delete(name), { once: true });
        await Promise.resolve();
        signal?.throwIfAborted();
      },
    },
    tools: () => Array.from(registered.values(), ({ description }) => JSON.parse(description)),
    async invoke(name, input = {}, { signal = new AbortController().signal } = {}) {
      signal.throwIfAborted();
      const tool = registered.get(name);
      if (!tool) throw notFound(name, registered);
      return await tool.execute(throughJson(input), { signal });
    },
  };
}

/** Refuses what Chromium refuses, in its order. */
function checkRegistration(
  { name, description, execute }: ModelContextTool,
  registered: ReadonlyMap<string, unknown>,
): void {
  if (typeof description !== "string") throw new TypeError("`description` is missing.");
  if (typeof execute !== "function") throw new TypeError("`execute` must be a function.");
  if (registered.has(name)) throw invalidState(`A tool "${name}" is registered already.`);
  if (!/^[\w.-]{1,128}$/.test(name)) throw invalidState(`"${name}" is no valid tool name.`);
  if (description === "") throw invalidState(`The tool "${name}" has no description.`);
}

const invalidState = (message: string) => new DOMException(message, "InvalidStateError");

function descriptionOf(
  { name, title, description, inputSchema, annotations }: ModelContextTool,
  exposedTo: string[] | undefined,
): DiscoveredTool {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations && { annotations }),
    ...(exposedTo && { exposedTo }),
  };
}

function throughJson(input: unknown): unknown {
  const text: string | undefined = JSON.stringify(input);
  if (text === undefined) throw new TypeError(`The input is a ${typeof input}, not JSON data.`);
  return JSON.parse(text);
}

function notFound(name: string, registered: ReadonlyMap<string, unknown>): DOMException {
  const names = [...registered.keys()].join(", ") || "none";
  return new DOMException(
    `No tool "${name}" is registered. Registered tools: ${names}.`,
    "NotFoundError",
  );
}
