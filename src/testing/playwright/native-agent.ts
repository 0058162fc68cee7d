import type { CDPSession, Page } from "@playwright/test";
import { devTools } from "./chromium.js";
import type { CallEnd, ToolFailure } from "./result.js";

/** The end of an invocation, as the DevTools protocol has it. */
interface Responded {
  readonly invocationId: string;
  readonly status: "Completed" | "Error" | "Canceled";
  readonly output?: unknown;
  readonly errorText?: string;
  readonly exception?: {
    readonly objectId?: string;
    readonly description?: string;
    readonly value?: unknown;
  };
}

/** One call that goes through the browser's WebMCP. */
export interface NativeCall {
  readonly end: Promise<CallEnd>;
  cancel(): Promise<void>;
}

/**
 * Calls a tool as an agent outside of the page does: over the DevTools protocol, which keeps the error that `executeTool` in
 * a page loses.
 */
export async function callNatively(
  page: Page,
  {
    tool,
    input,
    timeoutMs,
  }: { readonly tool: string; readonly input: object; readonly timeoutMs: number },
): Promise<NativeCall> {
  const session = await devTools(page, "callTool through native WebMCP");
  const gone = goneOf(page, session);
  const responses = new Responses(session);
  const found = await Promise.race([toolRegistered(session, tool, timeoutMs), gone]);
  if (found) return { end: gone, cancel: async () => {} };
  const invocationId = await invoke(session, tool, input);
  const responded = responses.of(invocationId).then((response) => endOf(session, response));
  const end = Promise.race([responded, gone]);
  // Nobody waits for it: a crashed page does not answer.
  end.finally(() => session.detach().catch(() => {})).catch(() => {});
  return {
    end,
    async cancel() {
      // Too late is no fault.
      await session.send("WebMCP.cancelInvocation", { invocationId }).catch(() => {});
    },
  };
}

/** Resolves when the page can answer no more. */
function goneOf(page: Page, session: CDPSession): Promise<CallEnd & { readonly status: "gone" }> {
  return new Promise((resolve) => {
    const tell = () => resolve({ status: "gone" });
    page.once("close", tell);
    page.once("crash", tell);
    // Unlike Playwright's own event, this one means another document.
    session.on("Page.frameNavigated", ({ frame }) => frame.parentId || tell());
    session.send("Page.enable").catch(tell);
  });
}

/** Responses by invocation: one may come before the reply that names its invocation. */
class Responses {
  readonly #early = new Map<string, Responded>();
  readonly #waiting = new Map<string, (response: Responded) => void>();

  constructor(session: CDPSession) {
    session.on("WebMCP.toolResponded", (response) => {
      const resolve = this.#waiting.get(response.invocationId);
      if (resolve) resolve(response);
      else this.#early.set(response.invocationId, response);
    });
  }

  async of(invocationId: string): Promise<Responded> {
    const early = this.#early.get(invocationId);
    return early ?? new Promise((resolve) => this.#waiting.set(invocationId, resolve));
  }
}

/** Resolves when the page's main frame has registered the tool. */
async function toolRegistered(session: CDPSession, tool: string, timeoutMs: number): Promise<void> {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { frameTree } = await session.send("Page.getFrameTree");
  try {
    await new Promise<void>((resolve, reject) => {
      session.on("WebMCP.toolsAdded", ({ tools }) => {
        for (const { name, frameId } of tools) if (frameId === frameTree.frame.id) names.add(name);
        if (names.has(tool)) resolve();
      });
      timer = setTimeout(() => reject(notRegistered(tool, names, timeoutMs)), timeoutMs);
      session.send("WebMCP.enable").catch(reject);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Says which tools there are. */
export function notRegistered(tool: string, names: Iterable<string>, timeoutMs: number): Error {
  const known = [...names].join(", ") || "none";
  return new Error(
    `The page has not registered a tool "${tool}" within ${timeoutMs} ms. Registered tools: ${known}.`,
  );
}

async function invoke(session: CDPSession, toolName: string, input: object): Promise<string> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { invocationId } = await session.send("WebMCP.invokeTool", {
    frameId: frameTree.frame.id,
    toolName,
    // The protocol passes on any JSON data.
    input: input as Record<string, string>,
  });
  return invocationId;
}

async function endOf(session: CDPSession, response: Responded): Promise<CallEnd> {
  switch (response.status) {
    case "Completed":
      return { status: "answered", output: response.output };
    case "Canceled":
      return { status: "cancelled" };
    case "Error":
      return { status: "failed", error: await failureOf(session, response) };
    default:
      return response.status satisfies never;
  }
}

async function failureOf(
  session: CDPSession,
  { exception, errorText }: Responded,
): Promise<ToolFailure> {
  if (!exception?.objectId) {
    const message = String(exception?.value ?? exception?.description ?? errorText ?? "");
    return { name: typeof exception?.value === "string" ? "string" : "Error", message };
  }
  const { result } = await session.send("Runtime.callFunctionOn", {
    objectId: exception.objectId,
    functionDeclaration: `function () {
      const { name, code, message } = this;
      return { name: String(name), message: String(message), ...(typeof code === "string" && { code }) };
    }`,
    returnByValue: true,
  });
  return result.value as ToolFailure;
}
