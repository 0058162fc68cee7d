import type { LifecycleEvent } from "signett";
import type { Agent } from "./agent.js";
import type { Answer, Outcome, Request } from "./answers.js";

export interface CallsOptions {
  readonly agent: Agent;
  readonly tab: Answer["tab"];
  /** Told when a call begins and when it ends. */
  readonly publish: (answer: Answer) => void;
}

interface RunningCall {
  readonly request: Request;
  readonly abort: AbortController;
  error?: LifecycleEvent["error"];
}

/** The agent's calls in this tab. */
export interface Calls {
  run(request: Request): void;
  /** Cancels this tab's calls for a request. */
  cancel(requestId: string): void;
  /** Learns from lifecycle events what WebMCP does not tell, and says whose call the event belongs to. */
  observe(event: LifecycleEvent): Request | undefined;
}

export function createCalls({ agent, tab, publish }: CallsOptions): Calls {
  const running = new Set<RunningCall>();
  const byInvocation = new Map<string, RunningCall>();
  const sent: RunningCall[] = [];

  async function outcomeOf(call: RunningCall): Promise<Outcome> {
    const { tool, input } = call.request;
    try {
      const { signal } = call.abort;
      return { state: "answered", output: await agent.call(tool, input, { signal }) };
    } catch (error) {
      if (call.abort.signal.aborted) return { state: "cancelled" };
      return {
        state: "failed",
        error: call.error ? known(call.error, error) : describeError(error),
      };
    }
  }

  /** Native WebMCP replaces every error with one of its own; the tool's is the one that was observed. */
  function known(observed: NonNullable<LifecycleEvent["error"]>, error: unknown) {
    return agent.kind === "native" ? observed : { ...describeError(error), ...observed };
  }

  return {
    async run(request) {
      const call: RunningCall = { request, abort: new AbortController() };
      const answer = { id: crypto.randomUUID(), request, tab };
      running.add(call);
      sent.push(call);
      publish({ ...answer, outcome: { state: "running" } });
      const outcome = await outcomeOf(call);
      running.delete(call);
      forget(sent, call);
      publish({ ...answer, outcome });
    },

    cancel(requestId) {
      for (const { request, abort } of running) if (request.id === requestId) abort.abort();
    },

    observe({ invocationId, name, stage, error }) {
      if (stage === "started") {
        // Calls of one tool start in the order in which they were sent.
        const next = sent.find(({ request }) => request.tool === name);
        if (next === undefined) return undefined;
        forget(sent, next);
        byInvocation.set(invocationId, next);
      }
      const call = byInvocation.get(invocationId);
      if (call && error) call.error = error;
      if (stage === "succeeded" || stage === "failed" || stage === "outcome_unknown") {
        byInvocation.delete(invocationId);
      }
      return call?.request;
    },
  };
}

function describeError(error: unknown): { name: string; code?: string; message?: string } {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return code === undefined ? { name, message } : { name, code, message };
}

function forget<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
}
