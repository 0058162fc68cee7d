import { median, quantile } from "./statistics.js";

/** Every time that was measured, in milliseconds, by what it is of. */
export class Samples {
  readonly #all = new Map<string, number[]>();

  /** Keeps them and gives their median. */
  add(name: string, times: readonly number[]): number {
    this.#all.set(name, [...(this.#all.get(name) ?? []), ...times]);
    return median(times);
  }

  toTable(): string {
    const rows = Array.from(this.#all, ([name, times]) => {
      const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share).toFixed(2));
      return `| ${name} | ${p50} | ${p99} | ${times.length} |`;
    });
    return ["| milliseconds | p50 | p99 | samples |", "| --- | --- | --- | --- |", ...rows].join(
      "\n",
    );
  }

  toJSON(): Record<string, readonly number[]> {
    return Object.fromEntries(this.#all);
  }
}
