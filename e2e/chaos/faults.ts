/** What goes wrong on purpose, by kind. */
export const FAULTS = [
  "tab is closed",
  "tab crashes",
  "tab is reloaded",
  "tab goes away and comes back",
  "tab is frozen",
  "worker is killed",
  "worker hangs",
  "server delays its answers",
  "server loses its answers",
  "server answers with errors",
  "receipts can't be read",
] as const;

export type Fault = (typeof FAULTS)[number];

/** How often each kind must occur in a run: what hardly ever happens is not judged. */
export const MINIMUM = 3;

/** A fault from its beginning until everything goes on. Times are milliseconds of the run. */
export interface Occurrence {
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
}

export function countOf(occurrences: readonly Occurrence[], fault: Fault): number {
  return occurrences.filter((occurrence) => occurrence.fault === fault).length;
}
