import { age, moment } from "../../model/format.js";
import type { KnownOperation } from "../../model/key-pages.js";
import { standingOf } from "../../model/standing.js";
import type { Desk } from "../desk.js";
import { button, el, setText } from "../dom.js";
import { facts, outcomeLabel } from "../parts.js";
import type { keyActions } from "./actions.js";
import type { storedOutput } from "./output.js";

/** What is known of one key, and what a reviewer can do about it. */
export function keyDetail(
  desk: Desk,
  actions: ReturnType<typeof keyActions>,
  output: ReturnType<typeof storedOutput>,
) {
  const title = el("h2", { class: "name" });
  const standing = outcomeLabel();
  const about = facts();
  const resolve = button("Resolve…", {}, () => shown && actions.resolve(shown.info));
  const purge = button("Purge…", { class: "danger" }, () => shown && actions.purgeKey(shown.info));
  let shown: KnownOperation | undefined;
  return {
    element: el(
      "div",
      {},
      ...[title, standing.element, about.element, output.element],
      el("div", { class: "actions footer" }, resolve, purge),
    ),
    show(operation: KnownOperation) {
      shown = operation;
      const { info } = operation;
      setText(title, info.key);
      standing.show(standingOf(info));
      about.show(factsOf(operation, desk.surroundings.now()));
      resolve.hidden = info.state !== "in_doubt";
      output.show(info);
    },
  };
}

function factsOf({ info, readAt }: KnownOperation, now: number) {
  const { owner, audit, nextRecoveryAt, expiresAt } = info;
  const fact = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [{ name, value: String(value) }];
  return [
    ...fact("Tool", info.tool),
    ...fact("Fence", info.fence),
    ...fact("Owner", owner && `${owner.id} (${owner.alive ? "alive" : "gone"})`),
    ...fact("Waiters", info.waiters),
    ...fact("Executed", info.executed ? "a handler has returned" : undefined),
    ...fact("Takeovers", info.attempts > 0 ? `${info.attempts} ended in doubt` : undefined),
    ...fact("Next recovery", nextRecoveryAt && moment(nextRecoveryAt)),
    ...fact("In this state", age(info.ageMs + now - readAt)),
    ...fact("Created", moment(info.createdAt)),
    ...fact("Changed", moment(info.updatedAt)),
    ...fact("Expires", expiresAt && moment(expiresAt)),
    ...fact(
      "Resolved",
      audit && [moment(audit.at), audit.outcome, audit.label].filter(Boolean).join(" · "),
    ),
  ];
}
