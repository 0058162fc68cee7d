import {
  act,
  createElement,
  type DependencyList,
  type Key,
  type ReactNode,
  StrictMode,
  version,
} from "react";
import { createRoot } from "react-dom/client";
import {
  createSignett,
  type ModelContext,
  type Signett,
  type Stage,
  type Tool,
} from "../../../src/index.js";
import { type SignettToolState, useSignettTool } from "../../../src/react/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { gate } from "../runtime/tab.js";

// React's own switch for tests that use `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** React 18 has no `<Activity>`, and so nothing that hides a component with its effects. */
export const hasActivity = !version.startsWith("18.");

/** The tests' tool. */
export type NoteTool = Tool<{ text: string }, undefined, unknown>;

/** A plain tool, with a test's own parts in place of the usual ones. */
export const noteTool = (parts: Partial<NoteTool> = {}): NoteTool => ({
  name: "send_note",
  description: "Send one short note.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  },
  execute: ({ text }) => `sent ${text}`,
  ...parts,
});

/** An interface on a host of its own, or on the test's. */
export function openSurface(modelContext?: ModelContext) {
  const harness = createWebMcpTestHarness();
  const signett = createSignett({ modelContext: modelContext ?? harness.modelContext });
  return {
    signett,
    names: () => harness.tools().map(({ name }) => name),
    descriptions: () => harness.tools().map(({ description }) => description),
    call: (text = "hello") => harness.invoke("send_note", { text }),
    until: (stage: Stage) => until(signett, stage),
  };
}

/**
 * Looks out for the next time that the stage is reached. What it returns waits for it, and until React has rendered what
 * follows from it.
 */
export function until(signett: Signett<undefined>, stage: Stage): () => Promise<void> {
  const reached = new Promise<void>((resolve) => {
    const stop = signett.observe((event) => {
      if (event.stage !== stage) return;
      stop();
      resolve();
    });
  });
  return () => act(() => reached);
}

interface NoteProps {
  readonly signett: Signett<undefined>;
  readonly states: SignettToolState[];
  readonly tool: NoteTool;
  readonly deps: DependencyList;
}

function Note({ signett, states, tool, deps }: NoteProps): ReactNode {
  const state = useSignettTool(signett, tool, deps);
  states.push(state);
  return state.status;
}

/** Components that do nothing but have a tool, and the states that they have rendered. */
export function notes(signett: Signett<undefined>) {
  const states: SignettToolState[] = [];
  const note = (
    tool: NoteTool,
    { deps = [1], key = 1 }: { deps?: DependencyList; key?: Key } = {},
  ) => createElement(Note, { key, signett, states, tool, deps });
  return { states, note };
}

/** A root on the page. */
export function mount({ strict = false } = {}) {
  const container = document.createElement("div");
  const root = createRoot(container);
  return {
    container,
    render: (node: ReactNode) =>
      act(() => root.render(strict ? createElement(StrictMode, null, node) : node)),
    unmount: () => act(() => root.unmount()),
  };
}

/** Something that is loaded when the test says so. */
class Resource {
  readonly #gate = gate();
  #loaded = false;

  load(): void {
    this.#loaded = true;
    this.#gate.open();
  }

  /** Suspends whoever reads too early, in the way that every React understands. */
  read(): void {
    if (!this.#loaded) throw this.#gate.opened;
  }
}

function Loading({ resource, children }: { resource: Resource; children?: ReactNode }): ReactNode {
  resource.read();
  return children;
}

/** Holds a part of the page back until it is loaded. */
export function loading() {
  const resource = new Resource();
  return {
    held: (children?: ReactNode) => createElement(Loading, { key: "held", resource }, children),
    load: () => act(async () => resource.load()),
  };
}

function Rendering({ rendered }: { rendered: () => void }): ReactNode {
  rendered();
  return null;
}

/** Longer than React renders without a break, in milliseconds. */
const LONG_MS = 20;

/** A part of the page whose first render React can't do in one go, and what happens in the break. */
export function inTheMiddle(task: () => void) {
  const { opened: over, open } = gate();
  const rendersOfRest = { before: Number.NaN, now: 0 };
  let first = true;
  const takeLong = () => {
    if (first) {
      queueMicrotask(() => {
        rendersOfRest.before = rendersOfRest.now;
        task();
        open();
      });
    }
    first = false;
    const end = performance.now() + LONG_MS;
    while (performance.now() < end);
  };
  const rest = () => {
    rendersOfRest.now += 1;
  };
  const part = [
    createElement(Rendering, { key: "long", rendered: takeLong }),
    createElement(Rendering, { key: "rest", rendered: rest }),
  ];
  return { part, over, rendersOfRest };
}
