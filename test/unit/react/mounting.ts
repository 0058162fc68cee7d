import {
  act,
  createElement,
  type DependencyList,
  type Key,
  type ReactNode,
  StrictMode,
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

// React's own switch for tests that use `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

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
