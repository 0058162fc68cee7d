import { button, el } from "./dom.js";

/** What {@link askInDialog} asks. */
export interface Question {
  readonly title: string;
  /** What will happen. */
  readonly text: readonly (string | HTMLElement)[];
  /** The words of the button that does it. */
  readonly action: string;
  /** What else a person decides. */
  readonly content?: HTMLElement;
  /** A sentence about what can't be gone on with; undefined when all is well. */
  readonly fault?: () => string | undefined;
}

/** Asks before something that can't be undone. It starts on the safe choice; Escape is that too. */
export function askInDialog(near: HTMLElement, question: Question): Promise<boolean> {
  const { title, text, action, content, fault } = question;
  const complaint = el("p", { class: "fault", role: "alert" });
  const keep = button("Cancel", {}, () => dialog.close("no"));
  const act = button(action, { class: "danger" }, () => {
    const words = fault?.();
    if (words === undefined) dialog.close("yes");
    else complaint.textContent = words;
  });
  const heading = el("h2", { id: "question" }, title);
  const dialog = el(
    "dialog",
    { "aria-labelledby": "question" },
    heading,
    el("p", {}, ...text),
    ...(content ? [content] : []),
    complaint,
    el("div", { class: "actions" }, keep, act),
  );
  // Beside the list it is about, so that it is removed with the panel.
  near.append(dialog);
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.showModal();
  keep.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    });
  });
}
