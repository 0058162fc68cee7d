import type { Page } from "@playwright/test";
import { callNatively } from "./native-agent.js";
import { callInPage } from "./page-agent.js";
import type { Via, WithPageSide } from "./page-side.js";
import type { CallEnd, ToolCall, ToolResult } from "./result.js";
import { stagesOf } from "./seen.js";

/** Options of {@link callTool}. */
export interface CallToolOptions {
  /** Its abort takes the call back, as {@link cancel} does. */
  readonly signal?: AbortSignal;
  /** How long the page may take to register the tool, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number;
}

const cancels = new WeakMap<ToolCall, () => Promise<void>>();

/**
 * Calls a tool of the page's main frame as an agent outside of the page does, through whatever the tab was opened for: see
 * `via` of `openTabs`. It waits until the tool is registered.
 *
 * The call gives how it ended, failures included, with the error's own `name`, `code` and `message`.
 * @throws {Error} when there is no such tool, with the names of those that there are, or the browser has no WebMCP.
 */
export function callTool(
  page: Page,
  tool: string,
  input: object = {},
  { signal, timeoutMs = 5_000 }: CallToolOptions = {},
): ToolCall {
  const request = { tool, input, timeoutMs };
  const started = signal?.aborted ? Promise.reject(signal.reason) : start(page, request);
  const cancelStarted = async () => (await started).cancel();
  const call = (async (): ToolCall => {
    const abort = () => void cancelStarted().catch(() => {});
    signal?.addEventListener("abort", abort);
    try {
      const { via, end } = await started;
      return await resultOf(page, { tool, input, via, end: await end });
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  })();
  cancels.set(call, cancelStarted);
  return call;
}

/**
 * Takes a call back. The tool's signal aborts; the call then gives `status: "cancelled"`, as the agent sees it, while the tool
 * may run on. A call that has ended stays as it is.
 */
export async function cancel(call: ToolCall): Promise<void> {
  const cancelCall = cancels.get(call);
  if (!cancelCall) throw new TypeError("cancel: this is not the promise that callTool returned.");
  await cancelCall();
}

async function start(
  page: Page,
  request: { readonly tool: string; readonly input: object; readonly timeoutMs: number },
) {
  const via = await viaOf(page);
  const call = via === "page" ? callInPage(page, request) : await callNatively(page, request);
  return { via, ...call };
}

/** How the page is to be called. */
async function viaOf(page: Page): Promise<Via> {
  const { via, native } = await page.evaluate(() => ({
    via: (globalThis as WithPageSide)[Symbol.for("signett.testing")]?.via ?? "native",
    native: "modelContext" in document,
  }));
  if (native) return via;
  throw new Error(
    "This page has no WebMCP to call tools through. Start Chromium with --enable-features=WebMCP, which the `test` of " +
      'signett/testing/playwright does, or open the tabs with { via: "page" }.',
  );
}

async function resultOf(
  page: Page,
  { tool, input, via, end }: { tool: string; input: object; via: Via; end: CallEnd },
): Promise<ToolResult> {
  const stages = end.status === "gone" ? [] : await stagesOf(page, tool, input);
  return { ...end, via, stages };
}
