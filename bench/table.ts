import { type Figure, type FigureKey, figures } from "./figures.js";
import type { Ratios } from "./rounds.js";
import { median, quantile } from "./statistics.js";

/** The figures' values, one a round. */
export class Results {
  readonly #values = new Map<FigureKey, number[]>();

  add(ratios: Ratios): void {
    for (const { key } of figures) {
      const value = ratios[key];
      if (value !== undefined) this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
    }
  }

  /** A Markdown table: the median of the rounds, how far they lie apart, and what is wanted. */
  toTable(): string {
    const rows = figures.map((figure) => rowOf(figure, this.#values.get(figure.key) ?? []));
    const head = ["figure", "key", "median", "range", "must", "aim", "reached"];
    return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
  }

  toJSON(): Record<string, { readonly median: number; readonly rounds: readonly number[] }> {
    return Object.fromEntries(
      Array.from(this.#values, ([key, rounds]) => [key, { median: median(rounds), rounds }]),
    );
  }
}

function rowOf(figure: Figure, rounds: readonly number[]): string[] {
  const { key, name, must, aim } = figure;
  if (rounds.length === 0)
    return [name, `\`${key}\``, "–", "–", bound(figure, must), bound(figure, aim), "not measured"];
  const value = median(rounds);
  const range = `${text(quantile(rounds, 0))} – ${text(quantile(rounds, 1))}`;
  const reached = reaches(figure, value, aim) ? "aim" : reaches(figure, value, must) ? "yes" : "no";
  return [name, `\`${key}\``, text(value), range, bound(figure, must), bound(figure, aim), reached];
}

const text = (value: number): string => value.toFixed(value >= 100 ? 0 : 2);

const reaches = ({ better }: Figure, value: number, wanted: number): boolean =>
  better === "more" ? value >= wanted : value <= wanted;

const bound = ({ better, unit }: Figure, value: number): string =>
  `${better === "more" ? "≥" : "≤"} ${value} ${unit}`;
