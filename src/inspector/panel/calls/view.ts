import type { LoggedCall } from "../../model/call-log.js";
import { outcomeOf } from "../../model/outcome.js";
import type { Doing } from "../../model/segments.js";
import type { Desk, View } from "../desk.js";
import { button, el, setText } from "../dom.js";
import { Grid } from "../grid.js";
import { field } from "../parts.js";
import { createSplit } from "../split.js";
import { callDetail } from "./detail.js";
import { callRow } from "./row.js";
import { TieLines } from "./ties.js";
import { Timeline } from "./timeline.js";

/** How often a running call's bar grows, in milliseconds. */
const GROWTH = 100;

const legend: readonly (readonly [Doing, string])[] = [
  ["check", "check"],
  ["approval", "approval"],
  ["wait", "wait"],
  ["execute", "execute"],
  ["recover", "recover"],
  ["verify", "verify"],
  ["settle", "settle"],
];

/** A live waterfall of the calls of all tabs. */
export function createCallsView(desk: Desk, drawAgainIn: (ms: number) => void): View {
  const { log, tabs, surroundings } = desk;
  const timeline = new Timeline();
  const lines = new TieLines(log, timeline);
  const filter = el("input", { type: "search", placeholder: "Tool, key, tab or outcome" });
  const only = el("select", { "aria-label": "Show" }, ...["all", "running", "failed"].map(option));
  const follow = el("input", { type: "checkbox" });
  follow.checked = true;
  const summary = el("span", { class: "summary" });
  const clear = button("Clear", {}, () => {
    log.clear();
    grid.select(undefined);
    desk.changed();
  });

  const grid = new Grid<LoggedCall>({
    label: "Calls",
    name: "calls",
    columns: [
      ...["Tab", "Tool", "Outcome", "Took"].map((text) => el("span", {}, text)),
      timeline.element,
    ],
    empty:
      "Calls of all tabs show here as they happen. Call a tool in Tools, or let an agent call one.",
    keyOf: ({ id }) => id,
    createRow: () => callRow(timeline, (tab) => tabs.numberOf(tab)),
    onSelect(call) {
      split.open(call !== undefined);
      desk.changed();
    },
    onScroll() {
      follow.checked = grid.atEnd;
      desk.changed();
    },
  });
  grid.body.append(timeline.bands, lines.element);
  const detail = callDetail(desk, (call) => grid.select(call));
  const split = createSplit({
    list: grid.element,
    detail: detail.element,
    label: "Call",
    close: () => grid.select(undefined),
  });
  const area = watchArea(timeline.element, desk.changed);
  for (const control of [filter, only, follow]) control.addEventListener("input", desk.changed);

  return {
    name: "calls",
    title: "Calls",
    element: el(
      "div",
      { class: "view" },
      el(
        "div",
        { class: "toolbar" },
        field("Filter", filter),
        only,
        el("label", { class: "check" }, follow, "Follow"),
        clear,
        summary,
        el(
          "ul",
          { class: "legend", "aria-label": "Colours of the stages" },
          ...legend.map(legendItem),
        ),
      ),
      split.element,
    ),
    count: () => log.calls.length,
    draw() {
      const now = surroundings.now();
      const calls = filtered(log.calls, filter.value, only.value, (tab) => tabs.nameOf(tab));
      setText(summary, summaryOf(calls.length, log.calls.length, log.running));
      grid.place(calls, { follow: follow.checked });
      const [first, last] = grid.visible;
      timeline.bands.style.left = `${area.left}px`;
      timeline.bands.style.width = `${area.width}px`;
      timeline.fit(calls.slice(first, last), now, area.width);
      grid.draw();
      lines.draw({ calls, visible: [first, last], left: area.left, width: area.width });
      const { selected } = grid;
      if (selected) detail.show(selected);
      if (log.running > 0) drawAgainIn(GROWTH);
    },
    show() {},
    dispose: () => area.dispose(),
  };
}

function filtered(
  calls: readonly LoggedCall[],
  text: string,
  only: string,
  nameOf: (tab: string) => string,
): readonly LoggedCall[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" && only === "all") return calls;
  return calls.filter((call) => {
    if (only === "running" && call.end) return false;
    if (only === "failed" && (!call.end || call.end.stage === "succeeded")) return false;
    const words = [call.tool, call.key ?? "", nameOf(call.tab), outcomeOf(call).text];
    return words.some((word) => word.toLowerCase().includes(wanted));
  });
}

function summaryOf(shown: number, all: number, running: number): string {
  const calls = shown === all ? `${all}` : `${shown} of ${all}`;
  return `${calls} ${all === 1 ? "call" : "calls"}, ${running} running`;
}

function option(value: string): HTMLOptionElement {
  const words =
    { all: "all calls", running: "running", failed: "failed or unknown" }[value] ?? value;
  return el("option", { value }, words);
}

function legendItem([doing, text]: readonly [Doing, string]): HTMLElement {
  return el("li", {}, el("i", { class: "swatch", "data-doing": doing }), text);
}

/** Where the column of bars lies, kept up to date without reading the layout in each frame. */
function watchArea(head: HTMLElement, changed: () => void) {
  const area = { left: 0, width: 0 };
  const observer = new ResizeObserver(() => {
    area.left = head.offsetLeft;
    area.width = head.clientWidth;
    changed();
  });
  observer.observe(head);
  return {
    get left() {
      return area.left;
    },
    get width() {
      return area.width;
    },
    dispose: () => observer.disconnect(),
  };
}
