// @vitest-environment jsdom
import { Activity, type ActivityProps, act, createElement, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { createSignett } from "../../../src/index.js";
import { TestHost } from "../../support/runtime.js";
import { gate } from "../runtime/tab.js";
import { hasActivity, loading, mount, notes, noteTool, openSurface, until } from "./mounting.js";

/** A component on a page of its own. */
function open({ strict = false } = {}) {
  const surface = openSurface();
  return { ...surface, ...notes(surface.signett), ...mount({ strict }) };
}

describe("a component with a tool", () => {
  it("has it registered as long as it is mounted", async () => {
    const { container, names, note, render, unmount, until } = open();
    const registered = until("registered");
    render(note(noteTool()));
    expect(container.textContent).toBe("registering");
    await registered();
    expect(container.textContent).toBe("registered");
    expect(names()).toEqual(["send_note"]);
    unmount();
    expect(names()).toEqual([]);
  });

  it("has it registered once in StrictMode, which mounts everything twice", async () => {
    const { names, note, render, signett, states, unmount, until } = open({ strict: true });
    const registered = until("registered");
    render(note(noteTool()));
    await registered();
    expect(states[0]).toEqual({ status: "registering" });
    expect(states.at(-1)).toEqual({ status: "registered" });
    expect(states.some(({ status }) => status === "failed")).toBe(false);
    expect(names()).toEqual(["send_note"]);
    expect(signett.tools()).toHaveLength(1);
    unmount();
    expect(names()).toEqual([]);
    expect(signett.tools()).toEqual([]);
  });

  it("leaves nothing behind when it is unmounted while a slow host registers", async () => {
    const { opened, open: letGo } = gate();
    const { opened: asked, open: ask } = gate();
    const host = new TestHost();
    host.onRegister = () => {
      ask();
      return opened;
    };
    const { signett, until } = openSurface(host);
    const { note } = notes(signett);
    const { render, unmount } = mount();
    render(note(noteTool()));
    await asked;
    const ended = until("unregistered");
    unmount();
    letGo();
    await ended();
    expect(host.tools.size).toBe(0);
    await expect(signett.expose(noteTool())).resolves.toMatchObject({ status: "registered" });
  });

  it("leaves nothing behind when it is unmounted at once", async () => {
    const { names, note, render, unmount, until } = open();
    const ended = until("unregistered");
    render(note(noteTool()));
    unmount();
    await ended();
    expect(names()).toEqual([]);
  });

  it("hands the name over to the component that takes its place", async () => {
    const { descriptions, note, render, until } = open();
    const first = until("registered");
    render(note(noteTool({ description: "The first." }), { key: 1 }));
    await first();
    const second = until("registered");
    render(note(noteTool({ description: "The second." }), { key: 2 }));
    await second();
    expect(descriptions()).toEqual(["The second."]);
  });

  it("lets a running call finish after it is gone", async () => {
    const { opened, open: finish } = gate();
    const { call, note, render, unmount, until } = open();
    const registered = until("registered");
    const execute = () => opened.then(() => "done");
    render(note(noteTool({ execute })));
    await registered();
    const authorized = until("authorized");
    const running = call();
    await authorized();
    unmount();
    finish();
    await expect(running).resolves.toBe("done");
  });

  it("has no tool before it is shown for the first time", async () => {
    const { held, load } = loading();
    const { container, names, note, render, until } = open();
    render(createElement(Suspense, { fallback: "loading" }, held(note(noteTool()))));
    expect(container.textContent).toBe("loading");
    expect(names()).toEqual([]);
    const registered = until("registered");
    await load();
    await registered();
    expect(names()).toEqual(["send_note"]);
  });

  if (hasActivity)
    it("has no tool while it is hidden, and says that it registers when it is shown again", async () => {
      const { container, names, note, render, states, until } = open();
      const view = (mode: ActivityProps["mode"]) => {
        const props: ActivityProps = { mode, children: note(noteTool()) };
        return createElement(Activity, props);
      };
      const registered = until("registered");
      render(view("visible"));
      await registered();
      render(view("hidden"));
      expect(names()).toEqual([]);
      states.length = 0;
      const again = until("registered");
      render(view("visible"));
      await again();
      expect(states.map(({ status }) => status)).toEqual(["registering", "registered"]);
      expect(container.textContent).toBe("registered");
      expect(names()).toEqual(["send_note"]);
    });
});

describe("what a server has rendered", () => {
  it("has its tool registered when the browser takes it over, without a complaint", async () => {
    const { names, note, until } = open();
    const container = document.createElement("div");
    container.innerHTML = renderToString(note(noteTool()));
    expect([container.textContent, names()]).toEqual(["registering", []]);
    const complaints = vi.spyOn(console, "error");
    const registered = until("registered");
    const root = await act(() => hydrateRoot(container, note(noteTool())));
    await registered();
    expect([container.textContent, names()]).toEqual(["registered", ["send_note"]]);
    expect(complaints).not.toHaveBeenCalled();
    act(() => root.unmount());
  });
});

describe("a browser without WebMCP", () => {
  it("is reported as unsupported", async () => {
    const signett = createSignett();
    const { states, note } = notes(signett);
    const { render } = mount();
    const unsupported = until(signett, "unsupported");
    render(note(noteTool()));
    await unsupported();
    expect(states.at(-1)).toEqual({ status: "unsupported" });
  });
});
