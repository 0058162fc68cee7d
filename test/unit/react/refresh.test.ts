// @vitest-environment jsdom
import "./refresh-hook.js";
import * as react from "react";
import * as runtime from "react/jsx-runtime";
import {
  createSignatureFunctionForTransform,
  performReactRefresh,
  register,
} from "react-refresh/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Stage } from "../../../src/index.js";
import * as binding from "../../../src/react/index.js";
import { runModule } from "../../support/run-sample.js";
import { gate } from "../runtime/tab.js";
import { mount, openSurface } from "./mounting.js";

/** The file that a developer edits. */
const notes = ({ answer = `"first"`, description = "Send one short note.", hooks = "" } = {}) => `
import { useState } from "react";
import { useSignettActivity, useSignettTool } from "signett/react";
import { entered, finished, signett } from "page";

export function Notes() {
  ${hooks}
  const [count, setCount] = useState(0);
  const { invocations } = useSignettActivity(signett);
  const { status } = useSignettTool(
    signett,
    {
      name: "send_note",
      description: "${description}",
      inputSchema: { type: "object" },
      async execute({ text }) {
        if (text === "wait") {
          entered();
          await finished;
        }
        return ${answer};
      },
    },
    [],
  );
  const calls = invocations.map(({ phase }) => phase).join(" ");
  return <button onClick={() => setCount(count + 1)}>{status} {count} {calls}</button>;
}
`;

/** A page with a development server. */
async function open() {
  const surface = openSurface();
  const { signett } = surface;
  const [entered, finishing] = [gate(), gate()];
  const page = { signett, entered: entered.open, finished: finishing.opened };
  const load = async (text: string) => {
    const { Notes } = await runModule(text, {
      modules: { react, "react/jsx-runtime": runtime, "signett/react": binding, page },
      globals: {
        $RefreshReg$: (component: unknown, id: string) => register(component, `notes.tsx ${id}`),
        $RefreshSig$: createSignatureFunctionForTransform,
      },
      refresh: true,
    });
    return Notes as react.FunctionComponent;
  };
  const stages: Stage[] = [];
  signett.observe(({ stage }) => stages.push(stage));
  const { container, render, unmount } = mount();
  // A refresh reaches every page that is there.
  onTestFinished(unmount);
  const first = surface.until("registered");
  render(react.createElement(await load(notes())));
  await first();
  return {
    ...{ ...surface, container, stages, entered: entered.opened, finish: finishing.open },
    click: () => react.act(() => container.querySelector("button")?.click()),
    async edit(text: string) {
      await load(text);
      const again = surface.until("registered");
      react.act(() => performReactRefresh());
      await again();
    },
  };
}

describe("a fast refresh", () => {
  it("has the next call run the edited handler, and keeps the component's state and the tool's name", async () => {
    const { call, click, container, edit, names, stages } = await open();
    click();
    expect(container.textContent).toBe("registered 1 ");
    await edit(notes({ answer: `"second"` }));
    expect(container.textContent).toBe("registered 1 ");
    expect(names()).toEqual(["send_note"]);
    await expect(react.act(() => call())).resolves.toBe("second");
    expect(stages).not.toContain("registration_failed");
  });

  it("shows agents the edited description", async () => {
    const { descriptions, edit } = await open();
    await edit(notes({ description: "Send a long note." }));
    expect(descriptions()).toEqual(["Send a long note."]);
  });

  it("lets the call that runs end as it began, and goes on showing it", async () => {
    const { call, container, edit, entered, finish } = await open();
    let running: Promise<unknown> = Promise.resolve();
    await react.act(async () => {
      running = call("wait");
      await entered;
    });
    await edit(notes({ answer: `"second"` }));
    expect(container.textContent).toBe("registered 0 running");
    finish();
    await expect(react.act(() => running)).resolves.toBe("first");
    expect(container.textContent).toBe("registered 0 succeeded");
  });

  it("that changes the order of hooks mounts the component anew, with its tool", async () => {
    const { call, click, container, edit, names, stages } = await open();
    click();
    await edit(notes({ answer: `"second"`, hooks: `const [draft] = useState("");` }));
    expect(container.textContent).toBe("registered 0 ");
    expect(names()).toEqual(["send_note"]);
    await expect(react.act(() => call())).resolves.toBe("second");
    expect(stages).not.toContain("registration_failed");
  });
});
