import type { LoggedCall } from "../../model/call-log.js";
import { duration, timeOfDay } from "../../model/format.js";
import { createScale, type Fold, type Scale, type Tick } from "../../model/scale.js";
import { el, keyedList, setText } from "../dom.js";

/** Pixels between two labels of the axis, at least. */
const LABEL_ROOM = 84;

/** The axis over the calls that can be seen. */
export class Timeline {
  /** The head of the column. */
  readonly element: HTMLElement;
  /** What `now` means for everything that is drawn at once, in epoch milliseconds. */
  now = 0;
  #scale: Scale = createScale([]);
  readonly #showTicks: (ticks: readonly Tick[]) => void;
  readonly #showFolds: (folds: readonly Fold[]) => void;
  /** Goes on with the folds behind the rows. */
  readonly bands = el("div", { class: "bands" });
  readonly #showBands = keyedList<Fold>(this.bands, (fold) => fold.x, foldMark);

  constructor() {
    const ticks = el("div", { class: "ticks", "aria-hidden": "true" });
    const folds = el("div", { class: "folds", "aria-hidden": "true" });
    this.element = el(
      "div",
      { class: "axis" },
      el("span", { class: "sr" }, "Stages"),
      folds,
      ticks,
    );
    this.#showTicks = keyedList<Tick>(ticks, (tick) => keyOfTick(tick), tickLabel);
    this.#showFolds = keyedList<Fold>(folds, (fold) => fold.x, foldMark);
  }

  at(time: number): number {
    return this.#scale.at(time);
  }

  /** Fits the axis to these calls. */
  fit(calls: readonly LoggedCall[], now: number, width: number): void {
    this.now = now;
    const intervals = calls.map(({ startedAt, end }) => ({
      from: startedAt,
      to: Math.max(startedAt, end?.at ?? now),
    }));
    this.#scale = createScale(intervals, LABEL_ROOM / Math.max(LABEL_ROOM, width));
    this.#showTicks(this.#scale.ticks);
    this.#showFolds(this.#scale.folds);
    this.#showBands(this.#scale.folds);
  }
}

const keyOfTick = ({ start, value }: Tick) => `${start} ${value}`;

function tickLabel() {
  const element = el("span", { class: "tick" });
  return {
    element,
    show({ x, start, value }: Tick) {
      element.style.left = `${(x * 100).toFixed(3)}%`;
      setText(element, start ? timeOfDay(value) : `+${duration(value)}`);
    },
  };
}

function foldMark() {
  const element = el("span", { class: "fold" });
  return {
    element,
    show({ x, ms }: Fold) {
      element.style.left = `${(x * 100).toFixed(3)}%`;
      element.title = `${duration(ms)} without a call`;
    },
  };
}
