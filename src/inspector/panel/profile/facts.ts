import { bytes, moment } from "../../model/format.js";
import type { InspectedHealth } from "../../profile.js";
import type { NamedValue } from "../parts.js";

const modes: Readonly<Record<string, string>> = {
  idle: "idle: not connected yet",
  shared: "shared: one SharedWorker coordinates all tabs",
  local: "local: this tab coordinates, and converges with the others through records and locks",
  unavailable: "unavailable: idempotent calls are refused",
};

const fact = (name: string, value: string | undefined): readonly NamedValue[] =>
  value === undefined ? [] : [{ name, value }];

/** Who coordinates the calls, and what was heard of them. */
export function coordinationFacts(
  mode: string | undefined,
  health: InspectedHealth | undefined,
  heard: { readonly tabs: number; readonly calls: number },
): readonly NamedValue[] {
  const { worker } = health ?? {};
  return [
    ...fact("Mode", mode === undefined ? "unknown" : (modes[mode] ?? mode)),
    ...fact("Worker", worker?.instance),
    ...fact("Build", worker?.build),
    ...fact("Heard of", `${heard.tabs} ${heard.tabs === 1 ? "tab" : "tabs"}, ${heard.calls} calls`),
  ];
}

/** What is stored, how safely, and what went wrong last. */
export function storageFacts(health: InspectedHealth): readonly NamedValue[] {
  const { counts, durability, usage, quota, persisted, lastStorageError } = health;
  const room = quota === undefined ? "" : ` of ${bytes(quota)}`;
  const error = lastStorageError && `${lastStorageError.name}, ${moment(lastStorageError.at)}`;
  return [
    ...fact("Claimed", counts && String(counts.claimed)),
    ...fact("Completed", counts && String(counts.completed)),
    ...fact("In doubt", counts && String(counts.in_doubt)),
    ...fact("Not applied", counts && String(counts.not_applied)),
    ...fact("Completions", `${durability} durability`),
    ...fact("Used", usage === undefined ? undefined : `${bytes(usage)}${room}, by this origin`),
    ...fact("Kept", persisted === undefined ? undefined : keptWords(persisted)),
    ...fact("Last error", error),
  ];
}

const keptWords = (persisted: boolean) =>
  persisted ? "the browser keeps it under pressure" : "the browser may delete it under pressure";
