// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import * as react from "react";
import * as runtime from "react/jsx-runtime";
import { transformWithOxc } from "vite";
import { expect, test } from "vitest";
import * as signett from "../../../src/index.js";
import * as binding from "../../../src/react/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { mount } from "./mounting.js";

const modules: Readonly<Record<string, object>> = {
  react,
  "react/jsx-runtime": runtime,
  signett,
  "signett/react": binding,
};

/** Runs the page's sample and gives what it exports. */
async function sample(): Promise<{ Notes: react.FunctionComponent }> {
  const [, code = ""] = /^```tsx sample=notes\n(.*?)^```$/ms.exec(read("docs/react.md")) ?? [];
  const { code: script } = await transformWithOxc(code, "notes.tsx", {
    jsx: { runtime: "automatic", development: false },
  });
  const body = script
    .replaceAll(/^import (\{[^}]*\}) from ("[^"]*");$/gm, (_, names: string, from: string) => {
      return `const ${names.replaceAll(" as ", ": ")} = modules[${from}];`;
    })
    .replace(/^export function (\w+)/m, "return { $1 };\nfunction $1");
  return new Function("modules", body)(modules);
}

const read = (path: string) => readFileSync(path, "utf8");

test("the sample's agent gets the notes that the person sees", async () => {
  const harness = createWebMcpTestHarness();
  const registered = new Promise<void>((resolve) => {
    const modelContext: signett.ModelContext = {
      registerTool: async (...tool) => {
        await harness.modelContext.registerTool(...tool);
        resolve();
      },
    };
    Object.assign(document, { modelContext });
  });
  const { Notes } = await sample();
  const { container, render } = mount();
  render(react.createElement(Notes));
  await react.act(() => registered);
  expect(container.textContent).toContain("Agents: registered");

  const [input, form] = [container.querySelector("input"), container.querySelector("form")];
  if (!input || !form) throw new Error("The sample has no form.");
  react.act(() => {
    // React listens to the setter of the instance.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(
      input,
      "Call Ann",
    );
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  react.act(() => form.requestSubmit());
  expect(container.querySelectorAll("li")).toHaveLength(2);
  await expect(harness.invoke("list_notes")).resolves.toEqual(["Buy milk", "Call Ann"]);
});
