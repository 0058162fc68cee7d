/** Counts how often each of a known set of names came. */
export class Tally<Name extends string> {
  readonly #counts: Map<Name, number>;

  constructor(names: readonly Name[]) {
    this.#counts = new Map(names.map((name) => [name, 0]));
  }

  count(names: readonly Name[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** The names that came less often than that, with their counts. */
  rarerThan(minimum: number): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count < minimum));
  }
}
