// @vitest-environment jsdom
import { act, createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createSignett } from "signett";
import { useSignettTool } from "signett/react";
import { createWebMcpTestHarness } from "signett/testing";
import { expect, test } from "vitest";
import { searchProductsTool } from "./products.js";

// React's own switch for tests that use `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const harness = createWebMcpTestHarness();
const signett = createSignett({ modelContext: harness.modelContext });

function SearchPage() {
  const registrationState = useSignettTool(signett, searchProductsTool, [searchProductsTool]);
  return registrationState.status;
}

test("Registration and lifecycle: the React binding handles asynchronous registration and StrictMode", async () => {
  const registered = new Promise<void>((resolve) => {
    signett.observe(({ stage }) => stage === "registered" && resolve());
  });
  const container = document.createElement("div");
  const root = createRoot(container);
  act(() => root.render(createElement(StrictMode, null, createElement(SearchPage))));
  expect(container.textContent).toBe("registering");
  await act(() => registered);
  expect(container.textContent).toBe("registered");
  expect(harness.tools().map(({ name }) => name)).toEqual(["search_products"]);
  act(() => root.unmount());
  expect(harness.tools()).toEqual([]);
});
