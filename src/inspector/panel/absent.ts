import type { View } from "./desk.js";
import { el } from "./dom.js";

/** What stands for a view that the interface has nothing for. */
export function absentView({ name, title }: Pick<View, "name" | "title">, why: string): View {
  return {
    ...{ name, title },
    element: el("div", { class: "view" }, el("p", { class: "empty" }, why)),
    count: () => undefined,
    draw() {},
    show() {},
    dispose() {},
  };
}
