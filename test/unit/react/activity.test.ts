// @vitest-environment jsdom
import { Activity, type ActivityProps, act, createElement, type ReactNode, Suspense } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import {
  type ActivityOptions,
  type ActivitySnapshot,
  createSignett,
  type Signett,
} from "../../../src/index.js";
import { useSignettActivity } from "../../../src/react/index.js";
import { MemoryIdempotencyStore, MemoryOperationJournal } from "../../../src/testing/index.js";
import { gate } from "../runtime/tab.js";
import { hasActivity, loading, mount, noteTool, openSurface } from "./mounting.js";

interface ListProps {
  readonly signett: Signett<undefined>;
  readonly options: ActivityOptions | undefined;
  readonly seen: ActivitySnapshot[];
}

function List({ signett, options, seen }: ListProps): ReactNode {
  const activity = useSignettActivity(signett, options);
  seen.push(activity);
  return activity.invocations.map(({ phase }) => phase).join(" ") || "nothing";
}

/** A component that lists calls, and a tool whose calls end when the test says so. */
async function open({ strict = false } = {}) {
  const surface = openSurface();
  const { signett } = surface;
  let [entered, ending] = [gate(), gate()];
  const execute = () => {
    entered.open();
    return ending.opened;
  };
  await signett.expose(noteTool({ execute }));
  const seen: ActivitySnapshot[] = [];
  return {
    ...{ ...surface, ...mount({ strict }), seen },
    list: (options?: ActivityOptions) => createElement(List, { signett, options, seen }),
    /** Begins a call; `finish` ends it. */
    async start() {
      [entered, ending] = [gate(), gate()];
      let answer: Promise<unknown> = Promise.resolve();
      await act(async () => {
        answer = surface.call();
        await entered.opened;
      });
      const finish = () =>
        act(async () => {
          ending.open();
          await answer;
        });
      return { finish };
    },
  };
}

describe("a component that shows the calls", () => {
  it.each([false, true])(
    "follows them from their start to their end (StrictMode: %s)",
    async (strict) => {
      const { container, list, render, seen, start } = await open({ strict });
      render(list());
      expect(container.textContent).toBe("nothing");
      const { finish } = await start();
      expect(container.textContent).toBe("running");
      await finish();
      expect(container.textContent).toBe("succeeded");
      expect(seen.at(-1)?.latest).toBe(seen.at(-1)?.invocations[0]);
    },
  );

  it("shows a call that runs when it is mounted", async () => {
    const { container, list, render, start } = await open();
    const { finish } = await start();
    render(list());
    expect(container.textContent).toBe("running");
    await finish();
    expect(container.textContent).toBe("succeeded");
  });

  it("does not render again, and loses nothing, when its options are written in place", async () => {
    const { container, list, render, seen, start } = await open();
    render(list({ maxInvocations: 5 }));
    await (await start()).finish();
    const before = seen.at(-1);
    render(list({ maxInvocations: 5 }));
    expect(seen.at(-1)).toBe(before);
    expect(container.textContent).toBe("succeeded");
  });

  it("begins anew with other options, while a call runs", async () => {
    const { container, list, render, start } = await open();
    render(list({ maxInvocations: 5 }));
    await (await start()).finish();
    const { finish } = await start();
    expect(container.textContent).toBe("running succeeded");
    render(list({ maxInvocations: 6 }));
    expect(container.textContent).toBe("running");
    await finish();
    expect(container.textContent).toBe("succeeded");
  });

  if (hasActivity)
    it("looks no more when it is gone or hidden, and shows what runs when it is back", async () => {
      const { container, list, render, seen, start, unmount } = await open();
      const view = (mode: ActivityProps["mode"]) =>
        createElement(Activity, { mode, children: list() } satisfies ActivityProps);
      render(view("visible"));
      render(view("hidden"));
      const renders = seen.length;
      const { finish } = await start();
      expect(seen).toHaveLength(renders);
      render(view("visible"));
      expect(container.textContent).toContain("running");
      unmount();
      const last = seen.length;
      await finish();
      expect(seen).toHaveLength(last);
    });

  it("throws a mistake in its options into the nearest error boundary", async () => {
    const { list, render } = await open();
    const silent = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(() => render(list({ maxInvocations: 0 }))).toThrow("`maxInvocations`");
    silent.mockRestore();
  });
});

describe("a render that React gives up", () => {
  it.each([false, true])("leaves nothing behind (StrictMode: %s)", async (strict) => {
    let watching = 0;
    const subscribe = () => {
      watching += 1;
      return () => {
        watching -= 1;
      };
    };
    const profile = {
      idempotency: new MemoryIdempotencyStore(),
      journal: new MemoryOperationJournal(),
      activity: { tab: "own", publish: () => {}, subscribe },
    };
    const signett = createSignett({ profile });
    const list = createElement(List, { signett, options: { scope: "profile" }, seen: [] });
    const { held, load } = loading();
    const { container, render, unmount } = mount({ strict });
    render(createElement(Suspense, { fallback: "loading" }, list, held()));
    expect([container.textContent, watching]).toEqual(["loading", 0]);
    await load();
    expect([container.textContent, watching]).toEqual(["nothing", 1]);
    unmount();
    expect(watching).toBe(0);
  });
});

describe("a server render", () => {
  it("shows nothing, and the browser goes on from there without a complaint", async () => {
    const { list, start } = await open();
    const container = document.createElement("div");
    const { finish } = await start();
    container.innerHTML = renderToString(list());
    expect(container.textContent).toBe("nothing");
    const complaints = vi.spyOn(console, "error");
    const root = await act(() => hydrateRoot(container, list()));
    expect(container.textContent).toBe("running");
    expect(complaints).not.toHaveBeenCalled();
    await finish();
    act(() => root.unmount());
  });
});
