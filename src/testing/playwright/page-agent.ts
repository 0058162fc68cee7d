import type { Page } from "@playwright/test";
import { notRegistered } from "./native-agent.js";
import type { WithPageSide } from "./page-side.js";
import type { CallEnd } from "./result.js";

/** How a call through the page's executors ended, or that there was none. */
type PageEnd = CallEnd | { readonly status: "missing"; readonly names: readonly string[] };

let calls = 0;

/** Calls a tool through the executor that the page has registered with the stand-in for WebMCP. */
export function callInPage(
  page: Page,
  {
    tool,
    input,
    timeoutMs,
  }: { readonly tool: string; readonly input: object; readonly timeoutMs: number },
) {
  const id = `call ${++calls}`;
  const ended: Promise<PageEnd> = page
    .evaluate(runInPage, { id, tool, input: JSON.stringify(input), timeoutMs })
    // What runs in the page never throws, so the page is gone.
    .catch(() => ({ status: "gone" }) as const);
  const end = ended.then((outcome): CallEnd => {
    if (outcome.status === "missing") throw notRegistered(tool, outcome.names, timeoutMs);
    return outcome;
  });
  return {
    end,
    async cancel() {
      await page
        .evaluate((call) => {
          const key = Symbol.for("signett.testing");
          (globalThis as WithPageSide)[key]?.cancels.get(call)?.();
        }, id)
        .catch(() => {});
    },
  };
}

/** Sent to the page as text. */
async function runInPage({
  id,
  tool,
  input,
  timeoutMs,
}: {
  id: string;
  tool: string;
  input: string;
  timeoutMs: number;
}): Promise<PageEnd> {
  const side = (globalThis as WithPageSide)[Symbol.for("signett.testing")];
  if (!side) return { status: "missing", names: [] };
  const { executors, registrations, cancels } = side;
  const registered = async () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let told = () => {};
    await new Promise<void>((resolve) => {
      told = () => executors.has(tool) && resolve();
      registrations.add(told);
      timer = setTimeout(resolve, timeoutMs);
      told();
    });
    clearTimeout(timer);
    registrations.delete(told);
    return executors.get(tool);
  };
  const execute = await registered();
  if (!execute) return { status: "missing", names: [...executors.keys()] };
  const stop = new AbortController();
  const cancelled = new Promise<CallEnd>((resolve) => {
    cancels.set(id, () => {
      stop.abort();
      // As a native host does: its caller hears no more of the call.
      resolve({ status: "cancelled" });
    });
  });
  const run = async (): Promise<CallEnd> => {
    try {
      const output = await execute(JSON.parse(input), { signal: stop.signal });
      return { status: "answered", output };
    } catch (error) {
      if (!(error instanceof Error)) {
        return { status: "failed", error: { name: typeof error, message: String(error) } };
      }
      const { name, message, code } = error as Error & { code?: unknown };
      return {
        status: "failed",
        error: { name, message, ...(typeof code === "string" && { code }) },
      };
    }
  };
  try {
    return await Promise.race([run(), cancelled]);
  } finally {
    cancels.delete(id);
  }
}
