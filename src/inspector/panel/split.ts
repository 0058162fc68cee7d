import { button, el, set } from "./dom.js";

/** What {@link createSplit} puts side by side. */
export interface SplitOptions {
  readonly list: HTMLElement;
  readonly detail: HTMLElement;
  /** What assistive technology calls the detail. */
  readonly label: string;
  /** A person closes the detail. */
  readonly close: () => void;
}

/** A list, and beside it what is selected. In a narrow panel the detail covers the list. */
export function createSplit({ list, detail, label, close }: SplitOptions) {
  const leave = () => {
    close();
    list.focus();
  };
  const aside = el(
    "section",
    { class: "detail", "aria-label": label, tabindex: "0" },
    button("×", { class: "icon close", "aria-label": `Close ${label.toLowerCase()}` }, leave),
    detail,
  );
  aside.hidden = true;
  aside.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.stopPropagation();
    leave();
  });
  const element = el("div", { class: "split" }, el("div", { class: "list" }, list), aside);
  return {
    element,
    open(isOpen: boolean) {
      aside.hidden = !isOpen;
      set(element, { "data-open": isOpen });
    },
  };
}
