import type { CallLog, LoggedCall } from "../../model/call-log.js";
import { type Tie, tieOf } from "../../model/ties.js";
import { keyedList, set, svg } from "../dom.js";
import { ROW_HEIGHT } from "../grid.js";
import type { Timeline } from "./timeline.js";

interface Line {
  readonly id: string;
  readonly kind: Tie["kind"];
  readonly path: string;
}

/** What {@link TieLines} draws over. */
export interface TieArea {
  readonly calls: readonly LoggedCall[];
  /** The rows that can be seen, from the first to before the second index. */
  readonly visible: readonly [number, number];
  /** Where the column of bars lies, in pixels. */
  readonly left: number;
  readonly width: number;
}

/** Lines from the calls that wait or replay to the call that owns their key. */
export class TieLines {
  readonly element = svg("svg", { class: "ties", "aria-hidden": "true" });
  readonly #log: CallLog;
  readonly #timeline: Timeline;
  readonly #show: (lines: readonly Line[]) => void;

  constructor(log: CallLog, timeline: Timeline) {
    this.#log = log;
    this.#timeline = timeline;
    this.#show = keyedList<Line, SVGElement>(this.element, ({ id }) => id, line);
  }

  draw({ calls, visible: [first, last], left, width }: TieArea): void {
    this.element.style.left = `${left}px`;
    this.element.style.width = `${width}px`;
    this.element.style.transform = `translateY(${first * ROW_HEIGHT}px)`;
    this.element.style.height = `${(last - first) * ROW_HEIGHT}px`;
    const lines: Line[] = [];
    for (let index = first; index < last; index++) {
      const call = calls[index];
      const tie = call && tieOf(call, this.#log, this.#timeline.now);
      if (!call || !tie) continue;
      const owner = calls.indexOf(tie.owner);
      if (owner < 0) continue;
      lines.push({
        id: call.id,
        kind: tie.kind,
        path: this.#path(tie, owner - first, index - first, width),
      });
    }
    this.#show(lines);
  }

  /** From the owner's bar down to the row, then along it to where the answer came. */
  #path({ ownerAt, at }: Tie, ownerRow: number, row: number, width: number): string {
    const x = (time: number) => round(this.#timeline.at(time) * width);
    const y = (index: number) => (index + 0.5) * ROW_HEIGHT;
    const towards = row > ownerRow ? 5 : -5;
    const from = `${x(ownerAt)} ${y(ownerRow) + towards}`;
    if (at <= ownerAt) return `M${from}V${y(row) - towards}`;
    return `M${from}V${y(row)}H${Math.max(x(ownerAt), x(at) - 2)}`;
  }
}

function line() {
  const element = svg("path");
  return {
    element,
    show: ({ kind, path }: Line) => set(element, { d: path, "data-kind": kind }),
  };
}

const round = (pixels: number) => Math.round(pixels * 2) / 2;
