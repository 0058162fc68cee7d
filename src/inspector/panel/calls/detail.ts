import type { LoggedCall, Mark } from "../../model/call-log.js";
import { duration, timeOfDay } from "../../model/format.js";
import { amountOf, outcomeOf } from "../../model/outcome.js";
import { type Segment, segmentsOf } from "../../model/segments.js";
import { tieOf } from "../../model/ties.js";
import type { Desk } from "../desk.js";
import { button, el, keyedList, set, setText } from "../dom.js";
import { facts, outcomeLabel } from "../parts.js";

/** What is known of one call. */
export function callDetail(desk: Desk, select: (call: LoggedCall) => void) {
  const title = el("h2", { class: "name" });
  const outcome = outcomeLabel();
  const about = facts();
  const key = button("", { class: "link mono" }, () => {
    if (call?.key !== undefined) desk.openKey(call.key);
  });
  const owner = button("", { class: "link" }, () => {
    const tie = call && tieOf(call, desk.log, desk.surroundings.now());
    if (tie) select(tie.owner);
  });
  const stages = el("ol", { class: "stages", "aria-label": "Stages" });
  const showStages = keyedList<Step>(stages, ({ mark }) => mark.stage, step);
  let call: LoggedCall | undefined;

  return {
    element: el("div", {}, title, outcome.element, about.element, el("h3", {}, "Stages"), stages),
    show(shown: LoggedCall) {
      call = shown;
      const now = desk.surroundings.now();
      setText(title, call.tool);
      outcome.show(outcomeOf(call));
      const tie = tieOf(call, desk.log, now);
      setText(key, call.key ?? "");
      if (tie) setText(owner, `${tie.owner.tool} in ${desk.tabs.nameOf(tie.owner.tab)}`);
      const { progress } = call;
      const { error } = call.end ?? {};
      about.show([
        { name: "Tab", value: desk.tabs.nameOf(call.tab) },
        { name: "Started", value: timeOfDay(call.startedAt) },
        { name: "Took", value: duration((call.end?.at ?? now) - call.startedAt) },
        ...(call.key === undefined ? [] : [{ name: "Key", value: key }]),
        ...(tie ? [{ name: tie.kind === "wait" ? "Waited for" : "Answer of", value: owner }] : []),
        ...(progress && !call.end
          ? [
              {
                name: "Progress",
                value: [amountOf(progress), progress.label].filter(Boolean).join(" · "),
              },
            ]
          : []),
        ...(error
          ? [{ name: "Error", value: [error.name, error.code].filter(Boolean).join(" · ") }]
          : []),
      ]);
      showStages(stepsOf(call, now));
    },
  };
}

interface Step {
  readonly mark: Mark;
  readonly since: number;
  readonly doing: Segment["doing"] | undefined;
}

/** Each mark with what went on until it. */
function stepsOf(call: LoggedCall, now: number): readonly Step[] {
  const latestFirst = [...segmentsOf(call, now)].reverse();
  return call.marks.map((mark) => ({
    mark,
    since: mark.at - call.startedAt,
    doing: latestFirst.find(({ from }) => from < mark.at)?.doing,
  }));
}

function step() {
  const swatch = el("i", { class: "swatch", "aria-hidden": "true" });
  const name = el("span");
  const since = el("span", { class: "number" });
  return {
    element: el("li", {}, swatch, name, since),
    show({ mark, since: ms, doing }: Step) {
      set(swatch, { "data-doing": doing });
      setText(name, mark.stage.replaceAll("_", " "));
      setText(since, `+${duration(ms)}`);
    },
  };
}
