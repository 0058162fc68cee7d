type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Makes an element. Texts become text nodes, so that no data is ever read as markup, and no attribute is a style or a
 * script, so that a strict policy has nothing to refuse.
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Makes an element of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  return element;
}

/** Sets attributes that differ; `true` is the empty text, `false` and `undefined` take one away. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : value;
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** Sets a text only when it differs, so that nothing is announced or laid out again without a change. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with a visible text. */
export function button(
  text: string,
  attributes: Attributes,
  onClick: () => void,
): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", onClick);
  return element;
}

/** One element of a list, made once, that shows every later state of its item. */
export interface Row<Item, E extends Element = HTMLElement> {
  readonly element: E;
  show(item: Item): void;
}

/** Keeps one element for each key, so that focus and selection survive every update. */
export function keyedList<Item, E extends Element = HTMLElement>(
  container: Element,
  keyOf: (item: Item) => unknown,
  createRow: (item: Item) => Row<Item, E>,
): (items: readonly Item[]) => void {
  const rows = new Map<unknown, Row<Item, E>>();
  return (items) => {
    const keys = new Set(items.map(keyOf));
    for (const [key, row] of rows) {
      if (keys.has(key)) continue;
      row.element.remove();
      rows.delete(key);
    }
    items.forEach((item, index) => {
      const key = keyOf(item);
      const row = rows.get(key) ?? createRow(item);
      rows.set(key, row);
      row.show(item);
      const place = container.children[index];
      if (place !== row.element) container.insertBefore(row.element, place ?? null);
    });
  };
}
