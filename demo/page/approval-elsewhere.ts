import { byId, setText } from "./dom.js";
import type { Tab } from "./progress.js";

const names = new Intl.ListFormat("en", { type: "conjunction" });

/** Says where a person is asked: the call that gets to ask may be another tab's, and that tab hidden. */
export function createApprovalElsewhere(selfId: string): (tabs: readonly Tab[]) => void {
  const line = byId("approval-elsewhere", HTMLElement);
  return (tabs) => {
    const asking = tabs.filter(
      ({ id, calls }) =>
        id !== selfId && calls.some(({ stage }) => stage === "confirmation_requested"),
    );
    const where = names.format(asking.map(({ number }) => `Tab ${number}`));
    setText(line, where === "" ? "" : `Approve it in ${where}`);
  };
}
