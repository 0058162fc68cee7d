import { ValidationError, type ValidationIssue } from "../../../errors.js";
import type { ExposedTool } from "../../../exposed.js";
import { formOf } from "../../model/fields.js";
import { parsed, UnreadableInput } from "../../model/input.js";
import type { Desk } from "../desk.js";
import { button, el, setText } from "../dom.js";
import { controlOf } from "./control.js";
import { outcomeOf, type Result, resultView } from "./result.js";

/** A form made from the tool's schema that calls the tool, with everything that its calls go through. */
export function callForm({ tool, registration, call }: ExposedTool, desk: Desk) {
  const { surroundings } = desk;
  const form = controlOf(formOf(tool.inputSchema), "input");
  const raw = el("textarea", {
    class: "mono",
    rows: "6",
    "aria-label": "Input as JSON",
    spellcheck: "false",
  });
  const asJson = el("input", { type: "checkbox" });
  const fault = el("p", { class: "fault" });
  const submit = el("button", { type: "submit", class: "primary" }, "Call");
  const cancel = button("Cancel", {}, () => calling?.abort());
  const result = resultView(desk);
  let calling: AbortController | undefined;
  let state: Result = { state: "none" };

  asJson.addEventListener("change", () => {
    if (asJson.checked) raw.value = draft();
    swap();
  });
  function swap(): void {
    form.element.hidden = asJson.checked;
    raw.hidden = !asJson.checked;
  }
  swap();

  /** What the form holds now, for going on by hand. */
  function draft(): string {
    try {
      return JSON.stringify(form.value(), undefined, 2);
    } catch {
      return "{}";
    }
  }

  function showFaults(issues: readonly Pick<ValidationIssue, "path" | "message">[]): void {
    for (const { path, message } of issues) {
      const place = asJson.checked ? undefined : form.faultsAt(path);
      const words = place ? message : `${path || "The input"}: ${message}`;
      const target = place ?? fault;
      setText(target, target.textContent ? `${target.textContent} ${words}` : words);
    }
  }

  function focusFault(): void {
    form.element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  /** The input, or undefined after saying which field can't be read. */
  function read(): { readonly input: unknown } | undefined {
    form.clearFaults();
    setText(fault, "");
    try {
      return { input: asJson.checked ? parsed("", raw.value) : form.value() };
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      showFaults([error]);
      focusFault();
      return undefined;
    }
  }

  async function run(): Promise<void> {
    const given = read();
    if (!given || calling) return;
    calling = new AbortController();
    const since = surroundings.now();
    become({ state: "running", since });
    const took = () => surroundings.now() - since;
    try {
      if (registration.status === "disposed") {
        throw new DOMException("The tool is not registered any more.", "InvalidStateError");
      }
      const output = await call(given.input, calling.signal);
      become({ state: "answered", ms: took(), output });
    } catch (error) {
      if (error instanceof ValidationError) showFaults(error.issues);
      focusFault();
      become({ state: "failed", ms: took(), error });
    } finally {
      calling = undefined;
      result.element.scrollIntoView({ block: "nearest" });
      desk.announce(`${tool.name}: ${outcomeOf(state, surroundings.now()).text}`);
      desk.changed();
    }
  }

  function become(next: Result): void {
    state = next;
    desk.changed();
  }

  const element = el(
    "form",
    { class: "call", novalidate: true, "aria-label": `Call ${tool.name}` },
    form.element,
    raw,
    fault,
    el(
      "div",
      { class: "actions" },
      submit,
      cancel,
      el("label", { class: "check" }, asJson, "Write JSON"),
    ),
    result.element,
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  return {
    element,
    /** A call of it has not ended. */
    get running() {
      return calling !== undefined;
    },
    draw() {
      submit.disabled = calling !== undefined;
      cancel.hidden = calling === undefined;
      result.show(state);
    },
    dispose: () => calling?.abort(),
  };
}
