/** The element that `index.html` has under this id. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`index.html has no ${kind.name} with the id "${id}".`);
}

/** Makes an element; texts become text nodes, so no data is ever read as markup. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

/** Sets a text only when it differs, so that screen readers are told of changes alone. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A list item that is made once and shows every later state of its item. */
export interface Row<T> {
  readonly element: HTMLElement;
  show(item: T): void;
}

/** Keeps one row for each key, so that focus and selection survive every update. */
export function createList<T>(
  container: HTMLElement,
  keyOf: (item: T) => string,
  createRow: (item: T) => Row<T>,
): (items: readonly T[]) => void {
  const rows = new Map<string, Row<T>>();
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
