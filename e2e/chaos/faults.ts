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

/** Counts the faults that have occurred. */
export class FaultCount {
  readonly #counts = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]));

  add(fault: Fault): void {
    this.#counts.set(fault, this.of(fault) + 1);
  }

  of(fault: Fault): number {
    return this.#counts.get(fault) ?? 0;
  }

  get total(): number {
    return FAULTS.reduce((sum, fault) => sum + this.of(fault), 0);
  }
}
