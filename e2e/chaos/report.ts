import type { CallEnd, Chronicle } from "./chronicle.js";
import { countOf, FAULTS } from "./faults.js";
import type { Verdict } from "./judge.js";

/** How many of a kind of complaint are printed. */
const SHOWN = 20;

/** What a run was, and what became of it. Its last line is the sum. */
export function reportOf(chronicle: Chronicle, verdict: Verdict): string {
  const { calls, faults, effects, restored } = chronicle;
  const { duplicated, lost, stuck, shortcomings, completed } = verdict;
  return [
    table(
      "fault",
      FAULTS.map((fault) => [fault, countOf(faults, fault)]),
    ),
    table("call", countOutcomes(chronicle)),
    `${restored} of the tabs that went away came back from the cache`,
    `${completed.keys} of ${completed.of} keys with an effect are completed with its output`,
    ...complaints("Duplicated", duplicated),
    ...complaints("Lost", lost),
    ...complaints("Stuck", stuck),
    ...complaints("This run proves too little", shortcomings),
    [
      `${calls.length} calls`,
      `${faults.length} faults`,
      `${effects.length} effects`,
      `${duplicated.length} duplicated`,
      `${lost.length} lost`,
      `${stuck.length} stuck`,
    ].join(", "),
  ].join("\n");
}

/** The run was a good one. */
export function isGood({ duplicated, lost, stuck, shortcomings }: Verdict): boolean {
  return [duplicated, lost, stuck, shortcomings].every((complaints) => complaints.length === 0);
}

function countOutcomes({ calls }: Chronicle): [string, number][] {
  const counts = new Map<string, number>();
  for (const { end } of calls) {
    const name = outcomeOf(end);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

function outcomeOf(end: CallEnd): string {
  switch (end.status) {
    case "answered": {
      const how = (["recovered", "replayed", "executed"] as const).find((stage) =>
        end.stages.includes(stage),
      );
      return `answered: ${how ?? "its page could not be asked how"}`;
    }
    case "failed":
      return `failed: ${end.error.code ?? `${end.error.name}: ${end.error.message}`}`;
    case "unheard":
      return `unheard: ${end.why}`;
    case "gone":
    case "cancelled":
    case "open":
      return end.status;
    default:
      return end satisfies never;
  }
}

function table(head: string, rows: readonly (readonly [string, number])[]): string {
  const lines = rows.map(([name, count]) => `${String(count).padStart(7)}  ${name}`);
  return [`  times  ${head}`, ...lines, ""].join("\n");
}

function complaints(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length > SHOWN ? [`  and ${texts.length - SHOWN} more`] : [];
  return [`\n${title}:`, ...texts.slice(0, SHOWN).map((text) => `  ${text}`), ...more];
}
