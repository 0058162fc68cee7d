import type { Outcome } from "../model/outcome.js";
import { el, keyedList, set, setText } from "./dom.js";

/** A tab's number in a small frame; this tab's is filled. */
export function tabChip(): { element: HTMLElement; show(number: number): void } {
  const element = el("span", { class: "chip" });
  return {
    element,
    show(number) {
      set(element, { "data-own": number === 1, "data-hue": String(number % 6) });
      setText(element, number === 1 ? "this" : `tab ${number}`);
    },
  };
}

const marks: Readonly<Record<Outcome["tone"], string>> = {
  running: "▸",
  waiting: "◌",
  good: "✓",
  replay: "↺",
  bad: "✕",
  doubt: "?",
};

/** A mark and a text that say how something stands. */
export function outcomeLabel(): { element: HTMLElement; show(outcome: Outcome): void } {
  const mark = el("span", { class: "mark", "aria-hidden": "true" });
  const text = el("span", { class: "text" });
  const element = el("span", { class: "outcome" }, mark, text);
  return {
    element,
    show({ tone, text: words }) {
      set(element, { "data-tone": tone });
      setText(mark, marks[tone]);
      setText(text, words);
    },
  };
}

/** Names and values, each updated in place. A value is a text, or a control that is made once. */
export interface NamedValue {
  readonly name: string;
  readonly value: string | HTMLElement;
}

/** A list of names and values. */
export function facts(): { element: HTMLElement; show(items: readonly NamedValue[]): void } {
  const element = el("dl", { class: "facts" });
  const show = keyedList<NamedValue>(
    element,
    ({ name }) => name,
    ({ name }) => {
      const value = el("dd");
      return {
        element: el("div", {}, el("dt", {}, name), value),
        show(item) {
          if (typeof item.value === "string") setText(value, item.value);
          else if (value.firstChild !== item.value) value.replaceChildren(item.value);
        },
      };
    },
  );
  return { element, show };
}

/** A field of a toolbar with its label. */
export function field(label: string, control: HTMLElement): HTMLLabelElement {
  // A label's own text would include a select's options.
  set(control, { "aria-label": label });
  return el("label", { class: "field" }, el("span", {}, label), control);
}
