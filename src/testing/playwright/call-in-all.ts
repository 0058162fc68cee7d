import type { Page } from "@playwright/test";
import { type CallToolOptions, callTool } from "./call-tool.js";
import type { WithPageSide } from "./page-side.js";
import type { ToolCall, ToolResult } from "./result.js";
import { unprepared } from "./seen.js";

/** The place where the pages of one {@link callInAll} wait for each other. */
interface Barrier {
  readonly tool: string;
  readonly channel: string;
}

let barriers = 0;

/**
 * Calls a tool in all pages at the same moment: each call waits in its page, right before the tool's own code, until all have
 * come; then one message between the pages lets them go. The pages must share an origin and come from `openTabs`.
 *
 * @returns How each call ended, in the order of the pages.
 */
export async function callInAll(
  pages: readonly Page[],
  tool: string,
  input: object = {},
  options?: CallToolOptions,
): Promise<ToolResult[]> {
  const barrier = { tool, channel: `signett.testing:barrier ${++barriers}` };
  for (const page of pages) {
    const closed = await page.evaluate(closeGate, barrier);
    if (!closed) throw unprepared("callInAll");
  }
  const calls = pages.map((page) => callTool(page, tool, input, options));
  try {
    await Promise.all(pages.map((page, index) => arrived(page, calls[index])));
  } finally {
    await open(pages, barrier);
  }
  return await Promise.all(calls);
}

/** Resolves when the call stands at the barrier, or is over before it got there. */
async function arrived(page: Page, call: ToolCall | undefined): Promise<void> {
  // A page that is lost on the way ends its call.
  await Promise.race([page.evaluate(whenArrived).catch(() => call), call]);
}

/** The first page's message frees all; the rest is for pages that were lost on the way. */
async function open([first, ...others]: readonly Page[], barrier: Barrier): Promise<void> {
  await first?.evaluate(openGates, barrier).catch(() => {});
  await Promise.all(others.map((page) => page.evaluate(openGates, barrier).catch(() => {})));
}

/** Sent to the page as text: the tool's next call waits. */
function closeGate({ tool, channel }: Barrier): boolean {
  const side = (globalThis as WithPageSide)[Symbol.for("signett.testing")];
  if (!side) return false;
  const messages = new BroadcastChannel(channel);
  const opened = new Promise<void>((open) => {
    messages.onmessage = () => {
      messages.close();
      side.gates.delete(tool);
      open();
    };
  });
  side.arrived = new Promise((arrive) => side.gates.set(tool, { arrive, opened }));
  return true;
}

/** Sent to the page as text. */
async function whenArrived(): Promise<void> {
  await (globalThis as WithPageSide)[Symbol.for("signett.testing")]?.arrived;
}

/** Sent to the page as text. A message does not come back to the channel that sent it. */
function openGates({ channel }: Barrier): void {
  const messages = new BroadcastChannel(channel);
  messages.postMessage("go");
  messages.close();
}
