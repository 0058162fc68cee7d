import type { ExposedTool } from "../../../exposed.js";
import type { ReadinessFinding } from "../../../readiness/finding.js";
import { findingsOf } from "../../../readiness/readiness.js";
import { hintsOf } from "../../model/tool-facts.js";
import type { Desk, View } from "../desk.js";
import { el, set, setText } from "../dom.js";
import { Grid, type GridRow } from "../grid.js";
import { createSplit } from "../split.js";
import { toolDetail } from "./detail.js";

/** How often a running call's time is counted on, in milliseconds. */
const TICK = 100;

interface Listed {
  readonly exposed: ExposedTool;
  readonly findings: readonly ReadinessFinding[];
}

const nameOf = ({ exposed }: Listed) => exposed.tool.name;

/** The tools of the interface: what agents see of them, what is wrong with them, and a form to call each. */
export function createToolsView(desk: Desk, drawAgainIn: (ms: number) => void): View {
  const { inside, profile } = desk;
  const details = new Map<ExposedTool, ReturnType<typeof toolDetail>>();
  const known = new Map<ExposedTool, Listed>();
  const place = el("div", { class: "place" });

  const grid = new Grid<Listed>({
    label: "Tools",
    name: "tools",
    columns: ["Tool", "Hints", "Findings"].map((text) => el("span", {}, text)),
    empty: "No tools are exposed. They show here as soon as expose() has registered them.",
    keyOf: nameOf,
    createRow: toolRow,
    onSelect(item) {
      split.open(item !== undefined);
      desk.changed();
    },
    onScroll: desk.changed,
  });
  const split = createSplit({
    list: grid.element,
    detail: place,
    label: "Tool",
    close: () => grid.select(undefined),
  });

  /** Each registration is looked at once. */
  function listed(): readonly Listed[] {
    const exposed = inside.exposed();
    for (const one of exposed) {
      if (known.has(one)) continue;
      known.set(one, { exposed: one, findings: findingsOf(one.tool, profile) });
    }
    for (const one of known.keys()) {
      if (!exposed.includes(one)) forget(one);
    }
    return [...known.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  function forget(one: ExposedTool): void {
    known.delete(one);
    details.get(one)?.dispose();
    details.delete(one);
  }

  function detailOf({ exposed, findings }: Listed) {
    const detail = details.get(exposed) ?? toolDetail(exposed, findings, desk);
    details.set(exposed, detail);
    return detail;
  }

  return {
    name: "tools",
    title: "Tools",
    element: el("div", { class: "view tools-view" }, split.element),
    count: () => inside.exposed().length,
    draw() {
      const tools = listed();
      grid.place(tools);
      grid.draw();
      const { selected } = grid;
      if (!selected) {
        if (place.firstChild) grid.select(undefined);
        place.replaceChildren();
        return;
      }
      const detail = detailOf(selected);
      if (place.firstChild !== detail.element) place.replaceChildren(detail.element);
      detail.draw();
      if (detail.running) drawAgainIn(TICK);
    },
    show() {},
    dispose() {
      for (const detail of details.values()) detail.dispose();
    },
  };
}

function toolRow(): GridRow<Listed> {
  const name = el("span", { class: "name" });
  const hints = el("span", { class: "muted" });
  const findings = el("span", { class: "number" });
  return {
    cells: [name, hints, findings],
    show({ exposed, findings: found }) {
      setText(name, exposed.tool.name);
      setText(hints, hintsOf(exposed.tool).join(", "));
      setText(findings, found.length === 0 ? "ready" : String(found.length));
      set(findings, { "data-tone": found.length === 0 ? "good" : "doubt" });
    },
  };
}
