import type { View } from "./desk.js";
import { createDock } from "./dock.js";
import { button, el, set, setText, svg } from "./dom.js";
import { styleSheets } from "./styles/index.js";
import { createTablist } from "./tablist.js";

/** What {@link Panel} needs. */
export interface PanelOptions {
  readonly target: Element;
  /** At the bottom of the window rather than all of its target. */
  readonly docked: boolean;
  readonly views: readonly View[];
  readonly onOpen: () => void;
  readonly onData: (on: boolean) => void;
  readonly onClose: () => void;
}

/** The Inspector's frame: its bar, the heads of its views, and the view that is open. */
export class Panel {
  readonly #host = document.createElement("signett-inspector");
  readonly #tablist: ReturnType<typeof createTablist>;
  readonly #summary = el("span", { class: "summary" });
  readonly #status = el("p", { class: "sr", role: "status" });
  readonly #notice = el("p", { class: "notice", role: "status" });
  readonly #data: HTMLButtonElement;
  readonly #options: PanelOptions;
  #open: View;

  constructor(options: PanelOptions) {
    const { target, docked, views, onData, onClose } = options;
    const [first] = views;
    if (!first) throw new TypeError("A panel has a view.");
    this.#options = options;
    this.#open = first;
    this.#tablist = createTablist(views, (view) => this.open(view));
    this.#data = button(
      "Show data",
      { role: "switch", "aria-checked": "false", class: "switch" },
      () => onData(this.#data.getAttribute("aria-checked") !== "true"),
    );
    const dock = docked ? createDock(this.#host) : undefined;
    set(this.#host, { "data-docked": docked });
    const root = this.#host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = styleSheets();
    root.append(
      el(
        "section",
        { class: "panel", "aria-label": "Signett Inspector" },
        ...(dock ? [dock.grip] : []),
        el(
          "header",
          { class: "bar" },
          el("span", { class: "brand" }, seal(), el("span", {}, "Signett")),
          this.#tablist.element,
          this.#summary,
          this.#data,
          ...(dock ? [dock.fold] : []),
          button("×", { class: "icon", "aria-label": "Close the Inspector" }, onClose),
        ),
        ...views.map(({ element }) => element),
        this.#notice,
        this.#status,
      ),
    );
    target.append(this.#host);
    this.notice("");
    this.open(first);
  }

  get opened(): View {
    return this.#open;
  }

  open(view: View): void {
    if (view !== this.#open) this.#open.show(false);
    this.notice("");
    this.#open = view;
    this.#tablist.open(view);
    view.show(true);
    this.#options.onOpen();
  }

  draw(summary: string, data: boolean): void {
    this.#tablist.draw();
    setText(this.#summary, summary);
    set(this.#data, { "aria-checked": String(data) });
    // Folded or in a hidden target: nothing of it can be seen.
    if (this.#open.element.checkVisibility()) this.#open.draw();
  }

  announce(text: string): void {
    setText(this.#status, text);
  }

  /** It stays until the next one, or until another view is opened. */
  notice(text: string): void {
    setText(this.#notice, text);
  }

  remove(): void {
    this.#host.remove();
  }
}

/** A signet's face: a ring, and the notch that makes it one's own. */
function seal(): SVGElement {
  const drawing = svg("svg", { viewBox: "0 0 16 16", class: "seal", "aria-hidden": "true" });
  drawing.append(
    svg("path", { d: "M8 1.2 14.2 8 8 14.8 1.8 8Z" }),
    svg("path", { d: "M8 4.9V11M5.4 8h5.2", class: "cut" }),
  );
  return drawing;
}
