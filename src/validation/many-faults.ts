import { pointer } from "../pointer.js";
import { isRecord } from "../readiness/data.js";
import type { Fault } from "./issues.js";

/** How many entries of an array or object are looked at. */
const MAX_ENTRIES = 1_000;

/**
 * Faults of an input that has too many to be found at once: those of the first entries of each array and object. An input that
 * has none there has that many as its only fault.
 */
export function firstFaults(
  input: unknown,
  find: (input: unknown) => readonly Fault[],
): readonly Fault[] {
  const cut = new Set<string>();
  const faults = find(beginning(input, "", cut)).filter((fault) => !isOfCut(fault, cut));
  return faults.length > 0 ? faults : [{ path: "", keyword: "faults" }];
}

/** Whether it is a fault of what was cut: too few entries, or one that is missing. */
const isOfCut = ({ path, keyword }: Fault, cut: ReadonlySet<string>) =>
  cut.has(path) || (/required/i.test(keyword) && cut.has(path.slice(0, path.lastIndexOf("/"))));

function beginning(value: unknown, path: string, cut: Set<string>): unknown {
  if (!Array.isArray(value) && !isRecord(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > MAX_ENTRIES) cut.add(path);
  const kept = entries
    .slice(0, MAX_ENTRIES)
    .map(([key, item]) => [key, beginning(item, pointer(path, key), cut)] as const);
  return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
}
