import type { Effect } from "../support/demo-server.js";
import type { Chronicle, MadeCall } from "./chronicle.js";
import { countOf, FAULTS, MINIMUM, type Occurrence } from "./faults.js";
import { stuckCalls } from "./stuck.js";

/** The share of the keys with an effect that must be completed in the end. */
const COMPLETED_SHARE = 0.95;

/** What became of a run. Each text names a key or a kind of fault, and what is wrong. */
export interface Verdict {
  /** Keys with more than one effect. */
  readonly duplicated: readonly string[];
  /** Successes without their effect in the log, and keys with an effect that became free. */
  readonly lost: readonly string[];
  /** Calls that nothing held up, and that did not end. */
  readonly stuck: readonly string[];
  /** Why the run proves too little. */
  readonly shortcomings: readonly string[];
  /** How many of the keys with an effect are completed with its output. */
  readonly completed: { readonly keys: number; readonly of: number };
}

/** Judges a run by what the database has counted. */
export function judge(chronicle: Chronicle): Verdict {
  const { calls, effects, stillnesses, faults } = chronicle;
  const firsts = firstEffects(effects);
  const completed = completedKeys(chronicle, firsts);
  return {
    duplicated: duplicates(effects),
    lost: [...successesWithoutEffect(calls, firsts), ...freed(chronicle, firsts)],
    stuck: stuckCalls(calls, stillnesses).map((call) => stuckText(call, faults)),
    shortcomings: [...rareFaults(chronicle), ...tooFewCompleted(completed, firsts.size)],
    completed: { keys: completed, of: firsts.size },
  };
}

function firstEffects(effects: readonly Effect[]): Map<string, Effect> {
  const firsts = new Map<string, Effect>();
  for (const effect of effects) {
    if (!firsts.has(effect.operationKey)) firsts.set(effect.operationKey, effect);
  }
  return firsts;
}

function duplicates(effects: readonly Effect[]): string[] {
  const counts = new Map<string, number>();
  for (const { operationKey } of effects) {
    counts.set(operationKey, (counts.get(operationKey) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => `${key}: ${count} effects`);
}

function successesWithoutEffect(
  calls: readonly MadeCall[],
  firsts: ReadonlyMap<string, Effect>,
): string[] {
  return calls.flatMap((call) => {
    if (call.end.status !== "answered" || isRight(call, firsts.get(call.key))) return [];
    return [`${call.key}: answered ${JSON.stringify(call.end.output)} without its effect`];
  });
}

/** The call was answered with what its key's effect is known by. */
function isRight({ end, orderId }: MadeCall, effect: Effect | undefined): boolean {
  if (!effect || effect.orderId !== orderId || end.status !== "answered") return false;
  const { output } = end;
  if (typeof output !== "object" || output === null) return false;
  const expected = { orderId, status: "cancelled", cancelledAt: effect.at };
  return Object.entries(expected).every(([name, value]) => Reflect.get(output, name) === value);
}

/** What has had an effect is completed or in doubt, and never free. */
function freed({ stored }: Chronicle, firsts: ReadonlyMap<string, Effect>): string[] {
  return [...firsts.keys()].flatMap((key) => {
    const state = stored.get(key) ?? "not_applied";
    return state === "not_applied" ? [`${key}: has had an effect and is free`] : [];
  });
}

function completedKeys({ calls, stored }: Chronicle, firsts: ReadonlyMap<string, Effect>): number {
  const right = calls.filter(
    (call) =>
      call.last && stored.get(call.key) === "completed" && isRight(call, firsts.get(call.key)),
  );
  return new Set(right.map(({ key }) => key)).size;
}

function rareFaults({ faults }: Chronicle): string[] {
  return FAULTS.flatMap((fault) => {
    const count = countOf(faults, fault);
    return count < MINIMUM ? [`${fault}: only ${count} times`] : [];
  });
}

function tooFewCompleted(completed: number, keys: number): string[] {
  if (keys > 0 && completed >= keys * COMPLETED_SHARE) return [];
  return [`only ${completed} of ${keys} keys with an effect are completed with its output`];
}

/** What the call was, and what went on meanwhile. */
function stuckText({ key, from, to, end }: MadeCall, faults: readonly Occurrence[]): string {
  const meanwhile = faults
    .filter((occurrence) => occurrence.from < to && occurrence.to > from)
    .map((occurrence) => `${occurrence.fault} (${time(occurrence)})`);
  return [`${key}: a call, ${end.status} (${time({ from, to })})`, ...meanwhile].join(", ");
}

const time = ({ from, to }: Pick<MadeCall, "from" | "to">) => `${seconds(from)} to ${seconds(to)}`;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
