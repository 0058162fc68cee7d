import { el, set } from "./dom.js";

/** A row that is made once for an item and shows every later state of it. */
export interface GridRow<Item> {
  readonly cells: readonly HTMLElement[];
  show(item: Item): void;
}

/** What a {@link Grid} shows. */
export interface GridOptions<Item> {
  /** What assistive technology calls it. */
  readonly label: string;
  /** The class that decides the columns' widths. */
  readonly name: string;
  readonly columns: readonly HTMLElement[];
  readonly empty: string;
  readonly keyOf: (item: Item) => string;
  readonly createRow: () => GridRow<Item>;
  readonly onSelect: (item: Item | undefined) => void;
  /** A person scrolled: other rows are visible. */
  readonly onScroll?: () => void;
}

/** In pixels, as in the style sheet. */
export const ROW_HEIGHT = 24;
const BEYOND = 6;

/** A list of any length of which only the visible rows exist. Arrow keys move the selection. */
export class Grid<Item> {
  readonly element: HTMLElement;
  /** Where the rows are; drawings over them belong in it too. */
  readonly body: HTMLElement;
  readonly #options: GridOptions<Item>;
  readonly #empty: HTMLElement;
  readonly #rows = new Map<string, GridRow<Item> & { readonly element: HTMLElement }>();
  #items: readonly Item[] = [];
  #selected: string | undefined;

  constructor(options: GridOptions<Item>) {
    const { label, name, columns, empty, onScroll } = options;
    this.#options = options;
    const head = el("div", { role: "row", class: "row head", "aria-rowindex": "1" });
    for (const column of columns) {
      set(column, { role: "columnheader" });
      head.append(column);
    }
    this.body = el("div", { class: "rows", role: "presentation" });
    this.#empty = el("p", { class: "empty" }, empty);
    const rows = el("div", { role: "rowgroup" }, this.body);
    this.element = el(
      "div",
      { role: "grid", class: `grid ${name}`, tabindex: "0", "aria-label": label },
      el("div", { role: "rowgroup", class: "head-group" }, head),
      rows,
    );
    this.element.addEventListener("scroll", () => onScroll?.(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get selected(): Item | undefined {
    return this.#items.find((item) => this.#options.keyOf(item) === this.#selected);
  }

  /** The items whose rows can be seen, from the first to before the second index. */
  get visible(): readonly [number, number] {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.floor(scrollTop / ROW_HEIGHT);
    const last = Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) - 1;
    return [Math.min(first, this.#items.length), Math.min(last, this.#items.length)];
  }

  get atEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    return scrollTop + clientHeight >= scrollHeight - ROW_HEIGHT / 2;
  }

  /** Makes room for these items, before {@link draw} shows the visible ones. `follow`: scrolls to the last. */
  place(items: readonly Item[], { follow = false } = {}): void {
    this.#items = items;
    this.body.style.height = `${items.length * ROW_HEIGHT}px`;
    set(this.element, { "aria-rowcount": String(items.length + 1) });
    this.#showEmpty(items.length === 0);
    if (follow) this.element.scrollTop = this.element.scrollHeight;
  }

  /** Shows what can be seen: rows that stay are updated in place. */
  draw(): void {
    const [first, last] = this.visible;
    this.#draw(Math.max(0, first - BEYOND), Math.min(this.#items.length, last + BEYOND));
  }

  select(item: Item | undefined): void {
    this.#selected = item === undefined ? undefined : this.#options.keyOf(item);
    for (const [key, { element }] of this.#rows) this.#mark(key, element);
    if (item !== undefined) this.#reveal(this.#items.indexOf(item));
    this.#options.onSelect(item);
  }

  #draw(first: number, last: number): void {
    const { keyOf } = this.#options;
    const shown = new Map(
      this.#items.slice(first, last).map((item, i) => [keyOf(item), i] as const),
    );
    const spare = this.#takeUnused(shown);
    for (let index = first; index < last; index++) {
      const item = this.#items[index];
      if (item === undefined) continue;
      const key = keyOf(item);
      const row = this.#rows.get(key) ?? spare.pop() ?? this.#createRow();
      this.#rows.set(key, row);
      row.show(item);
      set(row.element, { id: `row-${index}`, "aria-rowindex": String(index + 2) });
      row.element.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
      row.element.dataset.key = key;
      this.#mark(key, row.element);
    }
    for (const { element } of spare) element.remove();
    this.#point();
  }

  /** Rows of items that are not shown any more can show others. */
  #takeUnused(shown: ReadonlyMap<string, unknown>) {
    const spare = [];
    for (const [key, row] of this.#rows) {
      if (shown.has(key)) continue;
      this.#rows.delete(key);
      spare.push(row);
    }
    return spare;
  }

  #createRow() {
    const row = this.#options.createRow();
    const element = el("div", { role: "row", class: "row" });
    for (const cell of row.cells) {
      set(cell, { role: "gridcell" });
      element.append(cell);
    }
    element.addEventListener("click", () => {
      const { key } = element.dataset;
      this.select(this.#items.find((item) => this.#options.keyOf(item) === key));
    });
    this.body.append(element);
    return { ...row, element };
  }

  #mark(key: string, element: HTMLElement): void {
    set(element, { "aria-selected": String(key === this.#selected) });
  }

  /** Tells assistive technology which row the keys act on. */
  #point(): void {
    const row = this.#selected === undefined ? undefined : this.#rows.get(this.#selected);
    set(this.element, { "aria-activedescendant": row?.element.id });
  }

  #showEmpty(nothing: boolean): void {
    if (!nothing) this.#empty.remove();
    else if (!this.#empty.isConnected) this.element.after(this.#empty);
  }

  #reveal(index: number): void {
    if (index < 0) return;
    const { clientHeight, scrollTop } = this.element;
    const top = index * ROW_HEIGHT;
    // The column heads cover the first row's height.
    const bottom = top + 2 * ROW_HEIGHT - clientHeight;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (bottom > scrollTop) this.element.scrollTop = bottom;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && this.#selected !== undefined) this.select(undefined);
    else {
      const next = this.#nextIndex(event.key);
      const item = next === undefined ? undefined : this.#items[next];
      if (item === undefined) return;
      this.select(item);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #nextIndex(key: string): number | undefined {
    const { length } = this.#items;
    const current = this.#items.findIndex((item) => this.#options.keyOf(item) === this.#selected);
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 2);
    const from = (step: number) => Math.min(length - 1, Math.max(0, current + step));
    switch (key) {
      case "ArrowDown":
        return from(1);
      case "ArrowUp":
        return current < 0 ? length - 1 : from(-1);
      case "PageDown":
        return from(page);
      case "PageUp":
        return from(-page);
      case "Home":
        return 0;
      case "End":
        return length - 1;
      default:
        return undefined;
    }
  }
}
