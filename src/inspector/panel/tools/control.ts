import type { Field } from "../../model/fields.js";
import { type LeafField, listOf, objectOf, valueIn } from "../../model/input.js";
import { button, el, set, setText } from "../dom.js";

/** A control for one place of the input. */
export interface Control {
  readonly element: HTMLElement;
  /** Where a fault of this place is shown. `undefined` for a path that lies elsewhere. */
  faultsAt(path: string): HTMLElement | undefined;
  /** @throws {UnreadableInput} */
  value(): unknown;
  clearFaults(): void;
}

/** Makes the control of a field, and those inside of it. */
export function controlOf(field: Field, id: string): Control {
  switch (field.kind) {
    case "object":
      return objectControl(field, id);
    case "list":
      return listControl(field, id);
    default:
      return leafControl(field, id);
  }
}

function leafControl(field: LeafField, id: string): Control {
  const input = inputOf(field);
  const fault = el("p", { class: "fault", id: `${id}-fault` });
  const hint = el("p", { class: "hint", id: `${id}-hint` }, field.description ?? "");
  set(input, {
    id,
    "aria-describedby": `${id}-hint ${id}-fault`,
    "aria-required": String(field.required),
  });
  const label = el("label", { for: id }, field.name || lastOf(field.path) || "Input");
  const type = el("span", { class: "type" }, typeOf(field));
  return {
    element: el(
      "div",
      { class: "control" },
      el("div", { class: "label" }, label, type),
      input,
      hint,
      fault,
    ),
    value: () => valueIn(field, input.value),
    faultsAt(path) {
      if (path !== field.path) return undefined;
      set(input, { "aria-invalid": "true" });
      return fault;
    },
    clearFaults() {
      set(input, { "aria-invalid": undefined });
      setText(fault, "");
    },
  };
}

function inputOf(field: LeafField): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  const typing = { autocomplete: "off", spellcheck: "false" };
  switch (field.kind) {
    case "choice": {
      const values = field.values.map((value) => JSON.stringify(value));
      const shown = field.values.map((value) =>
        typeof value === "string" ? value : JSON.stringify(value),
      );
      const options = values.map((value, index) => el("option", { value }, shown[index] ?? value));
      const select = el("select", {}, el("option", { value: "" }, "—"), ...options);
      select.value = field.initial;
      return select;
    }
    case "json":
      return withValue(el("textarea", { ...typing, rows: "3", class: "mono" }), field.initial);
    case "text":
      if (field.long) return withValue(el("textarea", { ...typing, rows: "3" }), field.initial);
      return withValue(el("input", { ...typing, type: "text" }), field.initial);
    case "number":
      return withValue(
        el("input", { ...typing, type: "text", inputmode: field.integer ? "numeric" : "decimal" }),
        field.initial,
      );
    default:
      throw new TypeError(`No control: ${JSON.stringify(field satisfies never)}`);
  }
}

function withValue<E extends HTMLInputElement | HTMLTextAreaElement>(input: E, value: string): E {
  input.value = value;
  return input;
}

function objectControl(field: Extract<Field, { kind: "object" }>, id: string): Control {
  const members = field.fields.map((member, index) => controlOf(member, `${id}-${index}`));
  return group(field, members, [...members.map(({ element }) => element)], {
    value: () =>
      objectOf(
        field,
        field.fields.map(({ name }, index) => [name, members[index]?.value()]),
      ),
  });
}

function listControl(field: Extract<Field, { kind: "list" }>, id: string): Control {
  const items: Control[] = [];
  const holder = el("div", { class: "items" });
  const add = button("Add an item", { class: "small" }, () => {
    const item = controlOf(field.item(items.length), `${id}-${items.length}`);
    items.push(item);
    holder.append(item.element);
    item.element.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
  });
  const remove = button("Remove the last", { class: "small" }, () => {
    items.pop()?.element.remove();
  });
  return group(field, items, [holder, el("div", { class: "actions" }, add, remove)], {
    value: () =>
      listOf(
        field,
        items.map((item) => item.value()),
      ),
  });
}

/** Controls of one object or list. The input itself has no frame and no name. */
function group(
  { path, name, description, required }: Field,
  members: readonly Control[],
  content: readonly HTMLElement[],
  { value }: Pick<Control, "value">,
): Control {
  const fault = el("p", { class: "fault" });
  const legend = el("legend", {}, name || lastOf(path), required ? "" : " (optional)");
  const hint = description ? [el("p", { class: "hint" }, description)] : [];
  const element =
    path === ""
      ? el("div", { class: "controls" }, ...content, fault)
      : el("fieldset", { class: "controls" }, legend, ...hint, ...content, fault);
  return {
    element,
    value,
    faultsAt(at) {
      for (const member of members) {
        const place = member.faultsAt(at);
        if (place) return place;
      }
      return at === path || (path !== "" && at.startsWith(`${path}/`)) ? fault : undefined;
    },
    clearFaults() {
      setText(fault, "");
      for (const member of members) member.clearFaults();
    },
  };
}

function typeOf(field: LeafField): string {
  const type = {
    text: "text",
    number: field.kind === "number" && field.integer ? "whole number" : "number",
    choice: "choice",
    json: "JSON",
  }[field.kind];
  return field.required ? type : `${type}, optional`;
}

/** The last step of a path, counted from 1 where it is an index. */
function lastOf(path: string): string {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return /^\d+$/.test(last) ? `Item ${Number(last) + 1}` : last;
}
