import {
  OPERATION_STATES,
  type OperationState,
  type ProfileOperations,
} from "../../../operations.js";
import { age } from "../../model/format.js";
import { KeyPages, type KnownOperation } from "../../model/key-pages.js";
import { standingOf } from "../../model/standing.js";
import { absentView } from "../absent.js";
import type { Desk, View } from "../desk.js";
import { button, el, setText } from "../dom.js";
import { Grid, type GridRow } from "../grid.js";
import { field, outcomeLabel } from "../parts.js";
import { createSplit } from "../split.js";
import { keyActions } from "./actions.js";
import { keyDetail } from "./detail.js";
import { storedOutput } from "./output.js";

/** How often ages are counted on, in milliseconds. */
const TICK = 1_000;

/** The page of keys, and the way to one of them. */
export interface KeysView {
  readonly view: View;
  /** Shows this key: the list then begins with it. */
  find(key: string): void;
}

/** The keys of the profile: who has them, who waits, and what can be done about those in doubt. */
export function createKeysView(desk: Desk, drawAgainIn: (ms: number) => void): KeysView {
  const { operations } = desk.profile ?? {};
  if (operations) return keysOf(operations, desk, drawAgainIn);
  const why = "The interface has no profile whose keys could be listed: see connectProfile().";
  return { view: absentView({ name: "keys", title: "Keys" }, why), find() {} };
}

function keysOf(
  operations: ProfileOperations,
  desk: Desk,
  drawAgainIn: (ms: number) => void,
): KeysView {
  const { surroundings } = desk;
  const pages = new KeyPages({
    list: (query) => operations.list(query),
    now: surroundings.now,
    changed: desk.changed,
  });
  const prefix = el("input", { type: "search", placeholder: "Beginning of the key" });
  const state = el(
    "select",
    {},
    el("option", { value: "" }, "all states"),
    ...OPERATION_STATES.map(stateOption),
  );
  const purge = button("Purge these…", { class: "danger" }, () =>
    actions.purgePrefix(prefix.value),
  );
  const summary = el("span", { class: "summary" });
  const failure = el("p", { class: "notice", role: "alert" });
  const element = el("div", { class: "view" });
  let wanted: string | undefined;
  let unsubscribe: (() => void) | undefined;

  const actions = keyActions(operations, desk, element);
  const grid = new Grid<KnownOperation>({
    label: "Keys",
    name: "keys",
    columns: ["State", "Key", "Tool", "Owner", "Waiters", "Fence", "Age"].map((text) =>
      el("span", {}, text),
    ),
    empty:
      "Nothing is stored: no idempotent tool of this profile has been called, or everything has expired.",
    keyOf: ({ info }) => info.key,
    createRow: () => keyRow(surroundings.now),
    onSelect(item) {
      split.open(item !== undefined);
      desk.changed();
    },
    onScroll() {
      if (grid.atEnd) pages.readMore();
      desk.changed();
    },
  });
  const detail = keyDetail(desk, actions, storedOutput(operations, desk));
  const split = createSplit({
    ...{ list: grid.element, detail: detail.element, label: "Key" },
    close: () => grid.select(undefined),
  });
  const ask = () => {
    const chosen = OPERATION_STATES.find((one) => one === state.value);
    pages.ask({
      ...(chosen && { state: chosen }),
      ...(prefix.value !== "" && { prefix: prefix.value }),
    });
    desk.changed();
  };
  prefix.addEventListener("input", ask);
  state.addEventListener("input", ask);
  element.append(
    el(
      "div",
      { class: "toolbar" },
      ...[field("Prefix", prefix), field("State", state), purge, summary],
    ),
    failure,
    split.element,
  );

  /** Goes to a key that was asked for, once it is known. */
  function selectWanted(): void {
    const found = pages.known.find(({ info }) => info.key === wanted);
    if (!found) return;
    wanted = undefined;
    grid.select(found);
  }

  const view: View = {
    name: "keys",
    title: "Keys",
    element,
    count: () => undefined,
    draw() {
      const { known, error } = pages;
      failure.hidden = error === undefined;
      setText(failure, error === undefined ? "" : `The keys can’t be read. ${messageOf(error)}`);
      setText(summary, pages.read ? `${known.length}${pages.more ? "+" : ""} keys` : "reading…");
      purge.disabled = prefix.value === "";
      grid.place(known);
      if (wanted !== undefined) selectWanted();
      grid.draw();
      const { selected } = grid;
      if (selected) detail.show(selected);
      else split.open(false);
      drawAgainIn(TICK);
    },
    show(visible) {
      unsubscribe?.();
      unsubscribe = visible ? operations.subscribe(() => pages.refresh()) : undefined;
      if (visible) pages.refresh();
    },
    dispose: () => unsubscribe?.(),
  };
  return {
    view,
    find(key) {
      prefix.value = key;
      state.value = "";
      wanted = key;
      ask();
    },
  };
}

const stateWords: Readonly<Record<OperationState, string>> = {
  claimed: "claimed",
  completed: "completed",
  in_doubt: "in doubt",
  not_applied: "not applied",
};

const stateOption = (value: OperationState) => el("option", { value }, stateWords[value]);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function keyRow(now: () => number): GridRow<KnownOperation> {
  const state = outcomeLabel();
  const key = el("span", { class: "name" });
  const tool = el("span", { class: "name" });
  const owner = el("span", { class: "name" });
  const waiters = el("span", { class: "number" });
  const fence = el("span", { class: "number" });
  const since = el("span", { class: "number" });
  return {
    cells: [state.element, key, tool, owner, waiters, fence, since],
    show({ info, readAt }) {
      state.show(standingOf(info));
      setText(key, info.key);
      setText(tool, info.tool);
      setText(owner, info.owner ? info.owner.id.slice(0, 8) : "");
      setText(waiters, info.waiters > 0 ? String(info.waiters) : "");
      setText(fence, String(info.fence));
      setText(since, age(info.ageMs + now() - readAt));
    },
  };
}
