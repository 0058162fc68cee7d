import type { ModelContext, ModelContextTool } from "signett";
import type {} from "webmcp-types";

/** Calls the page's own tools as an agent would. */
export interface Agent {
  /** `"native"`: through the browser's WebMCP. `"in-page"`: through a stand-in, because the browser has none. */
  readonly kind: "native" | "in-page";
  /** Where the tools are to be registered when it is not the browser's own `document.modelContext`. */
  readonly modelContext: ModelContext | undefined;
  /** Calls a tool by its name and gives its answer as data. */
  call(name: string, input: object, options: { signal: AbortSignal }): Promise<unknown>;
}

export function createAgent(): Agent {
  return document.modelContext === undefined ? inPageAgent() : nativeAgent(document.modelContext);
}

function nativeAgent(host: WebMCP.ModelContext): Agent {
  return {
    kind: "native",
    modelContext: undefined,
    async call(name, input, { signal }) {
      const tool = (await host.getTools()).find((candidate) => candidate.name === name);
      if (tool === undefined) throw unknownTool(name);
      return parse(await host.executeTool(tool, input, { signal }));
    },
  };
}

/** The least that a host does: it keeps tools by name, and hands input and signal to their executors. */
function inPageAgent(): Agent {
  const tools = new Map<string, ModelContextTool>();
  return {
    kind: "in-page",
    modelContext: {
      async registerTool(tool, { signal } = {}) {
        signal?.throwIfAborted();
        if (tools.has(tool.name)) {
          throw new DOMException(`A tool named ${tool.name} exists.`, "InvalidStateError");
        }
        tools.set(tool.name, tool);
        signal?.addEventListener("abort", () => tools.delete(tool.name), { once: true });
      },
    },
    async call(name, input, { signal }) {
      const tool = tools.get(name);
      if (tool === undefined) throw unknownTool(name);
      return tool.execute(structuredClone(input), { signal });
    },
  };
}

const unknownTool = (name: string) =>
  new DOMException(`This page has no tool named ${name}.`, "NotFoundError");

/** Chromium answers with the output's JSON, or with plain text where the output was a text. */
function parse(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}
