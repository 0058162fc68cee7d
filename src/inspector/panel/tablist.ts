import type { View } from "./desk.js";
import { button, el, set, setText } from "./dom.js";

/** The heads of the views. Arrow keys go from one to the next (ARIA's tabs pattern). */
export function createTablist(views: readonly View[], onOpen: (view: View) => void) {
  const heads = views.map((view) => {
    const { name, title, element } = view;
    const count = el("span", { class: "count" });
    const head = button(
      title,
      { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}` },
      () => onOpen(view),
    );
    head.append(count);
    set(element, { role: "tabpanel", id: `view-${name}`, "aria-labelledby": `tab-${name}` });
    return { view, head, count };
  });
  const element = el(
    "div",
    { role: "tablist", "aria-label": "Views", class: "tabs" },
    ...heads.map(({ head }) => head),
  );
  element.addEventListener("keydown", (event) => {
    const current = heads.findIndex(({ head }) => head === event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -current, End: -1 - current }[event.key];
    if (current < 0 || step === undefined) return;
    event.preventDefault();
    const next = heads.at((current + step) % heads.length);
    if (!next) return;
    onOpen(next.view);
    next.head.focus();
  });
  return {
    element,
    open(opened: View) {
      for (const { view, head } of heads) {
        const selected = view === opened;
        set(head, { "aria-selected": String(selected), tabindex: selected ? "0" : "-1" });
        view.element.hidden = !selected;
      }
    },
    draw() {
      for (const { view, count } of heads) {
        const number = view.count();
        setText(count, number === undefined ? "" : ` ${number}`);
      }
    },
  };
}
