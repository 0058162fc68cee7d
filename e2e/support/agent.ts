import type { CDPSession, Page } from "@playwright/test";

/** How an outside agent sees a call end. */
export type Outcome =
  | { readonly status: "answered"; readonly output: unknown }
  | {
      readonly status: "failed";
      readonly error: { readonly name: string; readonly code?: string; readonly message: string };
    }
  /** The page was closed, crashed or navigated away: native WebMCP gives no answer then. */
  | { readonly status: "gone" };

interface Responded {
  readonly invocationId: string;
  readonly status: "Completed" | "Error" | "Canceled";
  readonly output?: unknown;
  readonly errorText?: string;
  readonly exception?: { readonly objectId?: string; readonly description?: string };
}

/**
 * An agent outside of the page: calls its tools through native WebMCP over the DevTools protocol, which keeps the
 * exception that `executeTool` in a page loses.
 */
export class Agent {
  readonly #session: CDPSession;
  readonly #responses = new Map<string, Responded>();
  readonly #waiting = new Map<string, (response: Responded) => void>();
  readonly #gone: Promise<"gone">;

  private constructor(page: Page, session: CDPSession) {
    this.#session = session;
    session.on("WebMCP.toolResponded", (response) => {
      const resolve = this.#waiting.get(response.invocationId);
      // It may come before the reply that names the invocation.
      if (resolve) resolve(response);
      else this.#responses.set(response.invocationId, response);
    });
    this.#gone = new Promise((resolve) => {
      page.on("close", () => resolve("gone"));
      page.on("crash", () => resolve("gone"));
      page.on("framenavigated", (frame) => frame === page.mainFrame() && resolve("gone"));
    });
  }

  /** Connects to the page as it is now. A page that was reloaded needs a new agent. */
  static async of(page: Page): Promise<Agent> {
    const session = await page.context().newCDPSession(page);
    const agent = new Agent(page, session);
    await session.send("WebMCP.enable");
    return agent;
  }

  /** Begins a call; its outcome never rejects. */
  async start(
    toolName: string,
    input: Record<string, string>,
  ): Promise<{ readonly outcome: Promise<Outcome> }> {
    const { frameTree } = await this.#session.send("Page.getFrameTree");
    const { invocationId } = await this.#session.send("WebMCP.invokeTool", {
      frameId: frameTree.frame.id,
      toolName,
      input,
    });
    const early = this.#responses.get(invocationId);
    const response = early
      ? Promise.resolve(early)
      : new Promise<Responded>((resolve) => this.#waiting.set(invocationId, resolve));
    return { outcome: this.#outcome(response) };
  }

  /** Calls a tool and waits for its end. */
  async call(toolName: string, input: Record<string, string>): Promise<Outcome> {
    const { outcome } = await this.start(toolName, input);
    return outcome;
  }

  async #outcome(response: Promise<Responded>): Promise<Outcome> {
    const responded = await Promise.race([response, this.#gone]);
    if (responded === "gone") return { status: "gone" };
    if (responded.status === "Completed") return { status: "answered", output: responded.output };
    return { status: "failed", error: await this.#error(responded) };
  }

  async #error({ exception, errorText, status }: Responded) {
    if (!exception?.objectId) {
      return { name: status, message: errorText || exception?.description || "no reason given" };
    }
    const { result } = await this.#session.send("Runtime.callFunctionOn", {
      objectId: exception.objectId,
      functionDeclaration:
        "function () { return { name: this.name, code: this.code, message: this.message }; }",
      returnByValue: true,
    });
    return result.value as { name: string; code?: string; message: string };
  }
}
