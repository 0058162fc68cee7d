import type { LoggedCall } from "../../model/call-log.js";
import { duration } from "../../model/format.js";
import { outcomeOf } from "../../model/outcome.js";
import { type Segment, segmentsOf } from "../../model/segments.js";
import { el, set, setText } from "../dom.js";
import type { GridRow } from "../grid.js";
import { outcomeLabel, tabChip } from "../parts.js";
import type { Timeline } from "./timeline.js";

/** A call: its tab, its tool, how it stands, and its bar. */
export function callRow(
  timeline: Timeline,
  numberOf: (tab: string) => number,
): GridRow<LoggedCall> {
  const chip = tabChip();
  const tool = el("span", { class: "name" });
  const outcome = outcomeLabel();
  const took = el("span", { class: "number" });
  const track = bars(timeline);
  let shown: readonly [string, number] | undefined;
  return {
    cells: [el("div", {}, chip.element), tool, outcome.element, took, track.element],
    show(call) {
      const { now } = timeline;
      track.show(segmentsOf(call, now), call);
      if (!call.end || shown?.[0] !== call.id || shown[1] !== call.revision) {
        chip.show(numberOf(call.tab));
        setText(tool, call.tool);
        outcome.show(outcomeOf(call));
        setText(took, duration((call.end?.at ?? now) - call.startedAt));
      }
      shown = [call.id, call.revision];
    },
  };
}

/** A call's segments on the axis. Bars are kept from draw to draw. */
function bars(timeline: Timeline) {
  const element = el("div", { class: "track" });
  const pool: HTMLElement[] = [];
  return {
    element,
    show(segments: readonly Segment[], call: LoggedCall) {
      segments.forEach(({ doing, from, to }, index) => {
        const bar = pool[index] ?? el("i", { class: "bar" });
        if (bar.parentNode !== element) element.append(bar);
        pool[index] = bar;
        const [left, right] = [timeline.at(from), timeline.at(to)];
        bar.style.left = percent(left);
        bar.style.width = percent(right - left);
        const last = index === segments.length - 1;
        set(bar, {
          "data-doing": doing,
          "data-open": last && !call.end,
          "data-end": last ? call.end?.stage : undefined,
        });
      });
      for (const bar of pool.splice(segments.length)) bar.remove();
      if (segments.length === 0) showMoment(call);
    },
  };

  /** A call that began and ended in one millisecond. */
  function showMoment(call: LoggedCall): void {
    const bar = el("i", { class: "bar", "data-doing": "settle", "data-end": call.end?.stage });
    bar.style.left = percent(timeline.at(call.startedAt));
    element.append(bar);
    pool.push(bar);
  }
}

const percent = (share: number) => `${(share * 100).toFixed(3)}%`;
