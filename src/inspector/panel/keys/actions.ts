import type { OperationInfo, OperationResolution, ProfileOperations } from "../../../operations.js";
import { parsed } from "../../model/input.js";
import type { Desk } from "../desk.js";
import { askInDialog } from "../dialog.js";
import { el } from "../dom.js";

/** What a reviewer can do to keys. Each asks first. */
export function keyActions(operations: ProfileOperations, desk: Desk, near: HTMLElement) {
  /** Does it, and says what came of it. */
  async function perform(what: string, act: () => Promise<string>): Promise<void> {
    try {
      desk.notice(await act());
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      desk.notice(`${what} failed: ${name}${error instanceof Error ? `. ${error.message}` : ""}`);
    }
  }

  return {
    async purgeKey({ key, state }: OperationInfo): Promise<void> {
      const sure = await askInDialog(near, {
        title: "Purge this key?",
        text: [el("code", {}, key), " ", consequences[state]],
        action: "Purge",
      });
      if (!sure) return;
      await perform("Purging", async () => {
        const { purged, live } = await operations.purge({ key }, { inDoubt: true });
        return purgedWords(purged, live);
      });
    },

    async purgePrefix(prefix: string): Promise<void> {
      const doubt = el("input", { type: "checkbox" });
      const sure = await askInDialog(near, {
        title: "Purge these keys?",
        text: [
          "The stored answers of all keys that begin with ",
          el("code", {}, prefix),
          " are removed, in all tabs. A later call with one of them runs its handler again.",
        ],
        content: el(
          "label",
          { class: "check" },
          doubt,
          "Those in doubt too: nobody will recover them any more",
        ),
        action: "Purge",
      });
      if (!sure) return;
      await perform("Purging", async () => {
        const { purged, live } = await operations.purge({ prefix }, { inDoubt: doubt.checked });
        return purgedWords(purged, live);
      });
    },

    async resolve({ key, fence }: OperationInfo): Promise<void> {
      const form = resolutionForm();
      const sure = await askInDialog(near, {
        title: "What became of this operation?",
        text: [
          el("code", {}, key),
          " Say only what the authority says. It can’t be taken back, and every caller gets it.",
        ],
        content: form.element,
        fault: form.fault,
        action: "Resolve",
      });
      if (!sure) return;
      await perform("Resolving", async () => {
        await operations.resolve(key, form.resolution(), { ...form.options(), fence });
        return "Resolved.";
      });
    },
  };
}

const consequences: Readonly<Record<OperationInfo["state"], string>> = {
  not_applied: "A reviewer’s word that it did not happen is forgotten.",
  completed: "Its stored answer is removed. A later call with it runs the handler again.",
  in_doubt:
    "Nobody will recover it any more. A later call with it runs the handler again, even if the effect has happened.",
  claimed: "It stays with its owner, and the answer is not stored when the owner settles.",
};

function purgedWords(purged: number, live: readonly string[]): string {
  const gone = `${purged} ${purged === 1 ? "key" : "keys"} purged.`;
  return live.length === 0
    ? gone
    : `${gone} ${live.length} with a live owner will be when it settles.`;
}

/** Asks a reviewer for the outcome. */
function resolutionForm() {
  const radio = (value: string) => el("input", { type: "radio", name: "outcome", value });
  const [applied, notApplied] = [radio("completed"), radio("not_applied")];
  const output = el("textarea", {
    class: "mono",
    rows: "4",
    "aria-label": "Output as JSON",
    spellcheck: "false",
  });
  const label = el("input", { type: "text", maxlength: "200" });
  const read = () => (output.value.trim() === "" ? undefined : parsed("", output.value));
  return {
    element: el(
      "div",
      { class: "resolution" },
      el("label", { class: "check" }, notApplied, "It did not happen: the key is free again"),
      el("label", { class: "check" }, applied, "It happened, and this is its output:"),
      output,
      el(
        "label",
        { class: "control" },
        el("span", {}, "Why, for whoever looks later (optional)"),
        label,
      ),
    ),
    fault() {
      if (!applied.checked && !notApplied.checked) return "Choose what became of it.";
      try {
        read();
      } catch {
        return "The output is no JSON.";
      }
      return undefined;
    },
    resolution: (): OperationResolution =>
      applied.checked ? { outcome: "completed", output: read() } : { outcome: "not_applied" },
    options: () => (label.value.trim() === "" ? {} : { label: label.value.trim() }),
  };
}
