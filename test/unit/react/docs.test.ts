// @vitest-environment jsdom
import * as react from "react";
import * as runtime from "react/jsx-runtime";
import { expect, test } from "vitest";
import * as signett from "../../../src/index.js";
import * as binding from "../../../src/react/index.js";
import { createWebMcpTestHarness } from "../../../src/testing/index.js";
import { runSample } from "../../support/run-sample.js";
import { mount, noteTool } from "./mounting.js";

const modules: Readonly<Record<string, object>> = {
  react,
  "react/jsx-runtime": runtime,
  signett,
  "signett/react": binding,
};

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
  const { Notes } = await runSample("docs/react.md", "notes", modules);
  const { container, render } = mount();
  render(react.createElement(Notes as react.FunctionComponent));
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

test("the sample's list shows the call that an agent makes", async () => {
  const { modelContext, invoke } = createWebMcpTestHarness();
  const interfaceOfPage = signett.createSignett({ modelContext });
  await interfaceOfPage.expose(noteTool());
  const { Calls } = await runSample("docs/react.md", "calls", modules);
  const { container, render } = mount();
  render(
    react.createElement(Calls as react.FunctionComponent<{ signett: object }>, {
      signett: interfaceOfPage,
    }),
  );
  await react.act(() => invoke("send_note", { text: "hello" }));
  expect(container.textContent).toBe("send_note: succeeded ");
});
