import type { LifecycleEvent, Observer } from "../../events.js";
import type { ModelContext, ModelContextTool } from "../../model-context.js";

/** How an agent's calls come into the pages. */
export type Via =
  /** Through the browser's WebMCP. */
  | "native"
  /** Through the executors that the page has registered with a stand-in for WebMCP. */
  | "page";

/** One call as the page saw it. */
interface SeenCall {
  readonly tool: string;
  /** See {@link PageSide.textOf}. */
  readonly input: string;
  /** Absent when the tool is none of Signett's, or refused the call before it began. */
  invocationId?: string;
  ended: boolean;
  /** An agent outside has been told of it. */
  claimed: boolean;
}

/** What the helpers keep in each page. */
interface PageSide {
  readonly via: Via;
  readonly events: LifecycleEvent[];
  readonly calls: SeenCall[];
  /** An input as text, alike for equal inputs: a host may pass on fields in another order. */
  textOf(input: unknown): string;
  readonly executors: Map<string, ModelContextTool["execute"]>;
  /** Those who wait for a registration. */
  readonly registrations: Set<() => void>;
  /** Ends calls that came in through the page, by the agent's number. */
  readonly cancels: Map<string, () => void>;
  /** Holds the next call of a tool, by its name. */
  readonly gates: Map<string, { arrive(): void; readonly opened: Promise<void> }>;
  /** Resolves when the call that the last gate was made for stands at it. */
  arrived?: Promise<void>;
}

/** The place of {@link PageSide} in a page. Functions that run in pages are sent as text, so they spell it out. */
export type WithPageSide = typeof globalThis & Record<symbol, PageSide | undefined>;

/**
 * Runs in each page before its own scripts: writes down events and calls, and lets calls wait at a gate. It changes nothing
 * that the page can see, but for the stand-in when it is asked for.
 */
export function installPageSide(via: Via): void {
  const place = globalThis as WithPageSide;
  const key = Symbol.for("signett.testing");
  if (place[key]) return;
  const inOrder = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  const side: PageSide = {
    via,
    events: [],
    calls: [],
    textOf: (input) => JSON.stringify(input, inOrder) ?? "",
    executors: new Map(),
    registrations: new Set(),
    cancels: new Map(),
    gates: new Map(),
  };
  place[key] = side;
  let entering: SeenCall | undefined;

  const observe: Observer = (event) => {
    side.events.push(event);
    // Signett tells that a call has started before the executor returns.
    if (event.stage === "started" && entering) entering.invocationId ??= event.invocationId;
  };
  const shared = globalThis as unknown as Record<symbol, { observers: Set<Observer> } | undefined>;
  const signett = Symbol.for("signett");
  const made = shared[signett] ?? {
    names: new WeakMap(),
    profiles: new Map(),
    observers: new Set<Observer>(),
  };
  shared[signett] = made;
  made.observers.add(observe);

  const seen = (name: string, execute: ModelContextTool["execute"]): ModelContextTool["execute"] =>
    async function (this: unknown, input, options) {
      const gate = side.gates.get(name);
      if (gate) {
        side.gates.delete(name);
        gate.arrive();
        await gate.opened;
      }
      const call: SeenCall = {
        tool: name,
        input: side.textOf(input),
        ended: false,
        claimed: false,
      };
      side.calls.push(call);
      entering = call;
      try {
        const answer = execute.call(this, input, options);
        entering = undefined;
        return await answer;
      } finally {
        entering = undefined;
        call.ended = true;
      }
    };

  const registering =
    (register: ModelContext["registerTool"]): ModelContext["registerTool"] =>
    async (tool, options) => {
      const execute = seen(tool.name, tool.execute);
      await register({ ...tool, execute }, options);
      side.executors.set(tool.name, execute);
      options?.signal?.addEventListener("abort", () => {
        if (side.executors.get(tool.name) === execute) side.executors.delete(tool.name);
      });
      for (const told of side.registrations) told();
    };

  const standIn: ModelContext = {
    registerTool: registering((tool, options) => {
      options?.signal?.throwIfAborted();
      if (side.executors.has(tool.name)) {
        throw new DOMException(`A tool "${tool.name}" is registered.`, "InvalidStateError");
      }
    }),
  };
  if (via === "page") {
    Object.defineProperty(document, "modelContext", { value: standIn, configurable: true });
    return;
  }
  const native = (document as { modelContext?: ModelContext }).modelContext;
  if (!native) return;
  const register = native.registerTool.bind(native);
  Object.defineProperty(native, "registerTool", {
    value: registering(register),
    configurable: true,
    writable: true,
  });
}
