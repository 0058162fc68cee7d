import {
  createSignett,
  type LifecycleEvent,
  type Recovery,
  type SignettOptions,
  type Stage,
  type Tool,
} from "../../../src/index.js";
import { TestHost, TestJournal, TestStore } from "../../support/runtime.js";

/** The input of the tests' tool. */
export interface Order {
  readonly orderId: string;
}

/** The tests' tool. */
export type OrderTool = Tool<Order, undefined, unknown>;

/** What each test calls with, unless it says otherwise, and the operation key that follows from it. */
export const order: Order = { orderId: "o-1" };
export const KEY = "cancel:o-1";
export const cancelled = { status: "cancelled", orderId: "o-1" };

/** A handler that writes its journal immediately before its effect, as handlers should. */
export const writing =
  (effect: OrderTool["execute"]): OrderTool["execute"] =>
  async (input, invocation) => {
    await invocation.operation?.write({ orderId: input.orderId });
    return effect(input, invocation);
  };

/** A plain tool that cancels an order, with a test's own parts in place of the usual ones. */
export const orderTool = (parts: Partial<OrderTool> = {}): OrderTool => ({
  name: "cancel_order",
  description: "Cancel one order.",
  inputSchema: {
    type: "object",
    properties: { orderId: { type: "string", minLength: 1 } },
    required: ["orderId"],
    additionalProperties: false,
  },
  execute: writing(({ orderId }) => ({ status: "cancelled", orderId })),
  ...parts,
});

/** Exposes a tool in a tab of its own and records its events. */
export async function openTab(tool: OrderTool, options: SignettOptions<undefined> = {}) {
  const host = new TestHost();
  const signett = createSignett({ modelContext: host, ...options });
  const registration = await signett.expose(tool);
  const events: LifecycleEvent[] = [];
  signett.observe((event) => events.push(event));
  return {
    host,
    signett,
    registration,
    /** The events since the registration. */
    events,
    stages: (): Stage[] => events.map(({ stage }) => stage),
    /** Resolves when the stage is reached the next time. */
    until: (stage: Stage) =>
      new Promise<void>((resolve) => {
        const stop = signett.observe((event) => {
          if (event.stage !== stage) return;
          stop();
          resolve();
        });
      }),
    call: (signal?: AbortSignal, input: unknown = order) =>
      host.invoke(tool.name, input, signal && { signal }),
  };
}

/**
 * A store, a journal, and a tool that uses them in any number of tabs. `trace` has every call of the two and of the
 * tool's `execute`, `recover` and `verify` in its order. `joined`: the two are one profile.
 */
export function coordinated({
  joined = false,
  scope = joined ? "profile" : "tab",
}: {
  joined?: boolean;
  scope?: "tab" | "profile";
} = {}) {
  const trace: string[] = [];
  const journal = new TestJournal(trace, scope);
  const store = new TestStore(trace, joined ? journal : undefined);
  const key = ({ input }: { input: Order }) => `cancel:${input.orderId}`;
  const means = joined
    ? { idempotency: { key } }
    : { idempotency: { key, store }, journal: { store: journal } };
  const tab = (parts: Partial<OrderTool> = {}) =>
    openTab(
      traced(trace, orderTool({ ...means, ...parts })),
      joined ? { profile: { idempotency: store, journal } } : {},
    );
  return { trace, journal, store, key, tab };
}

function traced(trace: string[], tool: OrderTool): OrderTool {
  const noted =
    <Args extends unknown[], Result>(name: string, hook: (...args: Args) => Result) =>
    (...args: Args) => {
      trace.push(name);
      return hook(...args);
    };
  return {
    ...tool,
    execute: noted("execute", tool.execute),
    ...(tool.recover && { recover: noted("recover", tool.recover) }),
    ...(tool.verify && { verify: noted("verify", tool.verify) }),
  };
}

/** A hook that never answers. */
export const never = () => new Promise<never>(() => {});

/** A promise that the test settles when it wants. */
export function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A `recover` with this answer. */
export const saying = (answer: Recovery<unknown>) => () => answer;

/** A caller who leaves, with a reason of its own, when the test says so. */
export function leaving() {
  const caller = new AbortController();
  const reason = new Error("the agent left");
  return { signal: caller.signal, reason, leave: () => caller.abort(reason) };
}

/** What plain JavaScript can answer where the types promise something else. */
export const untyped = <T>(value: unknown): T => value as T;
