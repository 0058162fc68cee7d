import type { OperationInfo, ProfileOperations } from "../../../operations.js";
import type { Desk } from "../desk.js";
import { el, setText } from "../dom.js";

/** A key's stored output. It is asked for only while data is switched on, and forgotten when it is switched off. */
export function storedOutput(operations: ProfileOperations, desk: Desk) {
  const text = el("pre", { class: "data", tabindex: "0", "aria-label": "Output" });
  const element = el("section", { "aria-label": "Stored output" }, el("h3", {}, "Output"), text);
  let asked: { readonly key: string; readonly fence: number; words: string } | undefined;

  async function read({ key, fence }: OperationInfo): Promise<void> {
    const mine = { key, fence, words: "…" };
    asked = mine;
    try {
      const found = await operations.get(key, { output: true });
      mine.words = JSON.stringify(found?.output, undefined, 2) ?? "undefined";
    } catch (error) {
      mine.words = error instanceof Error ? error.message : String(error);
    }
    desk.changed();
  }

  return {
    element,
    show(info: OperationInfo) {
      const wanted = desk.data.on && info.state === "completed";
      element.hidden = !wanted;
      if (!wanted) asked = undefined;
      else if (asked?.key !== info.key || asked.fence !== info.fence) read(info);
      setText(text, asked?.words ?? "");
    },
  };
}
