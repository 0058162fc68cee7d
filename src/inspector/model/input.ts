import type { Field } from "./fields.js";

/** What a control holds can't be read as JSON. */
export class UnreadableInput extends Error {
  /** JSON Pointer to the control's place in the input. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super("This is no JSON.", { cause });
    this.path = path;
  }
}

/** A field with one control, whose content is a text. */
export type LeafField = Extract<Field, { kind: "text" | "number" | "choice" | "json" }>;

/**
 * The value that a control's text means; `undefined` for one to leave out. What does not fit is passed on as it is, because
 * the tool's own validation is to say so.
 * @throws {UnreadableInput}
 */
export function valueIn(field: LeafField, text: string): unknown {
  if (field.kind === "text") return text === "" && !field.required ? undefined : text;
  if (text.trim() === "") return undefined;
  if (field.kind !== "number") return parsed(field.path, text);
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** The object with the fields that have a value; an optional one without any is left out. */
export function objectOf(
  { required }: Pick<Field, "required">,
  entries: readonly (readonly [string, unknown])[],
): unknown {
  const present = entries.filter(([, value]) => value !== undefined);
  if (present.length === 0 && !required) return undefined;
  return Object.fromEntries(present);
}

/** The list of items; an optional empty one is left out. */
export function listOf({ required }: Pick<Field, "required">, items: readonly unknown[]): unknown {
  return items.length === 0 && !required ? undefined : items;
}

/** @throws {UnreadableInput} */
export function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableInput(path, error);
  }
}
