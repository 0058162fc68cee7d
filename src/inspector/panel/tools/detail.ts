import type { ExposedTool } from "../../../exposed.js";
import type { ReadinessFinding } from "../../../readiness/finding.js";
import { controlsOf, hintsOf } from "../../model/tool-facts.js";
import type { Desk } from "../desk.js";
import { el, setText } from "../dom.js";
import { facts } from "../parts.js";
import { callForm } from "./form.js";

/** Everything about one exposed tool. It is made once per registration, so that a form keeps what was typed. */
export function toolDetail(
  exposed: ExposedTool,
  findings: readonly ReadinessFinding[],
  desk: Desk,
) {
  const { tool, registration } = exposed;
  const status = el("span", { class: "status" });
  const form = callForm(exposed, desk);
  const controls = facts();
  controls.show(controlsOf(tool).map(({ name, text }) => ({ name, value: text })));
  const element = el(
    "article",
    { class: "tool" },
    el(
      "header",
      {},
      el("h2", { class: "name" }, tool.name),
      ...(tool.title ? [el("span", { class: "muted" }, tool.title)] : []),
      status,
    ),
    el("p", { class: "description" }, tool.description),
    el(
      "ul",
      { class: "tags", "aria-label": "Hints" },
      ...hintsOf(tool).map((hint) => el("li", {}, hint)),
    ),
    el(
      "div",
      { class: "columns" },
      el("section", { "aria-label": "Call" }, el("h3", {}, "Call"), form.element),
      el(
        "section",
        { "aria-label": "About the tool" },
        el("h3", {}, "Readiness"),
        readiness(findings),
        ...(controlsOf(tool).length > 0 ? [el("h3", {}, "Controls"), controls.element] : []),
        schema(tool.inputSchema),
      ),
    ),
  );
  return {
    element,
    get running() {
      return form.running;
    },
    draw() {
      setText(
        status,
        registration.status === "unsupported"
          ? "not registered: no WebMCP here"
          : registration.status,
      );
      form.draw();
    },
    dispose: () => form.dispose(),
  };
}

function readiness(findings: readonly ReadinessFinding[]): HTMLElement {
  if (findings.length === 0)
    return el("p", { class: "ready" }, "Nothing that agents would trip over.");
  const items = findings.map(({ code, path, message }) =>
    el(
      "li",
      {},
      el("code", { class: "code" }, code),
      el("code", { class: "path" }, path),
      el("p", {}, ...withCode(message)),
    ),
  );
  return el("ul", { class: "findings" }, ...items);
}

function schema(inputSchema: object): HTMLElement {
  const text = JSON.stringify(inputSchema, undefined, 2);
  return el(
    "details",
    { class: "schema" },
    el("summary", {}, "Schema"),
    el("pre", { tabindex: "0", "aria-label": "Schema" }, text),
  );
}

/** Turns what stands between backquotes into code. */
function withCode(message: string): readonly (Node | string)[] {
  return message.split("`").map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part));
}
