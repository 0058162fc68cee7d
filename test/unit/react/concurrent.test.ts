// @vitest-environment jsdom
import {
  act,
  createElement,
  type ReactNode,
  Suspense,
  startTransition,
  useLayoutEffect,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { afterEach, describe, expect, it } from "vitest";
import type { Signett } from "../../../src/index.js";
import { useSignettActivity } from "../../../src/react/index.js";
import { gate } from "../runtime/tab.js";
import { inTheMiddle, loading, mount, notes, noteTool, openSurface } from "./mounting.js";

/** Outside of `act`, React renders a transition bit by bit, and makes breaks. */
const setActing = (acting: boolean) =>
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: acting });
afterEach(() => setActing(true));

function open() {
  const surface = openSurface();
  return { ...surface, ...notes(surface.signett), ...mount() };
}

const saying = (text: string) => noteTool({ description: text, execute: () => text });

interface PagesProps {
  readonly controls: { show: (page: number) => void; count: (count: number) => void };
  readonly view: (page: number, count: number) => ReactNode;
}

/** A page that is changed, and a number that a person counts. */
function Pages({ controls, view }: PagesProps): ReactNode {
  const [page, setPage] = useState(1);
  const [count, setCount] = useState(1);
  useLayoutEffect(() => void Object.assign(controls, { show: setPage, count: setCount }));
  return view(page, count);
}

function pages(view: PagesProps["view"]) {
  const controls = { show: (_: number) => {}, count: (_: number) => {} };
  return { controls, page: createElement(Pages, { controls, view }) };
}

describe("a tool in a transition", () => {
  it.each([
    { change: "nothing that agents see", deps: () => [], after: "page 1, count 1" },
    { change: "its deps", deps: (page: number) => [page], after: "page 2, count 2" },
  ])(
    "that React interrupts, and then holds back, stays as the person sees it until it is shown: it changes $change",
    async ({ deps, after }) => {
      const { call, container, descriptions, note, render, until } = open();
      const { held, load } = loading();
      const middle = inTheMiddle(() => flushSync(() => controls.count(2)));
      const { controls, page } = pages((page, count) => [
        note(saying(`page ${page}, count ${count}`), { deps: deps(page) }),
        page === 2 && [middle.part, held()],
      ]);
      const registered = until("registered");
      render(createElement(Suspense, { fallback: "loading" }, page));
      await registered();

      setActing(false);
      startTransition(() => controls.show(2));
      await middle.over;
      setActing(true);
      // The next attempt is complete but for what is loaded.
      await act(async () => {});
      expect(middle.rendersOfRest).toEqual({ before: 0, now: 1 });
      await expect(call()).resolves.toBe("page 1, count 2");
      expect(descriptions()).toEqual(["page 1, count 1"]);
      expect(container.textContent).toBe("registered");

      await load();
      await expect(call()).resolves.toBe("page 2, count 2");
      expect(descriptions()).toEqual([after]);
    },
  );
});

describe("a tree that suspends again", () => {
  it("keeps its tool, which says what was shown last", async () => {
    const { call, container, names, note, render, until } = open();
    const { held, load } = loading();
    const page = (text: string, more: ReactNode) =>
      createElement(Suspense, { fallback: "loading" }, note(saying(text)), more);
    const registered = until("registered");
    render(page("first", null));
    await registered();
    render(page("second", held()));
    expect(container.textContent).toContain("loading");
    expect(names()).toEqual(["send_note"]);
    await expect(call()).resolves.toBe("first");
    await load();
    expect(container.textContent).toBe("registered");
    expect(names()).toEqual(["send_note"]);
    await expect(call()).resolves.toBe("second");
  });

  it("shows the calls that were made meanwhile", async () => {
    const { call, container, render, signett } = open();
    await signett.expose(saying("sent"));
    const { held, load } = loading();
    const page = (more: ReactNode) =>
      createElement(Suspense, { fallback: "loading" }, createElement(Calls, { signett }), more);
    render(page(null));
    render(page(held()));
    await act(() => call());
    await load();
    expect(container.textContent).toBe("succeeded");
  });
});

interface CallsProps {
  readonly signett: Signett<undefined>;
  /** Changes with the page, so that the list is part of its render. */
  readonly page?: number;
  readonly shown?: () => void;
}

function Calls({ signett, shown }: CallsProps): ReactNode {
  const { invocations } = useSignettActivity(signett);
  useLayoutEffect(() => shown?.());
  return invocations.map(({ phase }) => phase).join(" ") || "nothing";
}

describe("two lists of calls", () => {
  it("never differ, also when a call begins between the renders of the one and the other", async () => {
    const { call, container, render, signett } = open();
    const { opened: entered, open: enter } = gate();
    const { opened: ending, open: finish } = gate();
    const execute = () => {
      enter();
      return ending;
    };
    await signett.expose(noteTool({ execute }));
    let answer: Promise<unknown> = Promise.resolve();
    const middle = inTheMiddle(() => {
      answer = call();
    });
    const seen: string[] = [];
    const shown = () => void seen.push(container.textContent ?? "");
    const { controls, page } = pages((page) => [
      createElement(Calls, { key: "first", signett, page, shown }),
      page === 2 && middle.part,
      createElement(Calls, { key: "second", signett, page, shown }),
      ` page ${page}`,
    ]);
    render(page);
    setActing(false);
    startTransition(() => controls.show(2));
    await entered;
    setActing(true);
    await act(async () => {});
    expect(middle.rendersOfRest.before).toBe(0);
    expect(container.textContent).toBe("runningrunning page 2");
    expect(new Set(seen)).toEqual(
      new Set(["nothingnothing page 1", "runningrunning page 1", "runningrunning page 2"]),
    );
    await act(async () => {
      finish();
      await answer;
    });
  });
});
