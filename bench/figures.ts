/** What is measured against what, and how good it must be. */
export interface Figure {
  readonly key: string;
  readonly name: string;
  /** `more`: the larger the better, and `must` is a lower bound. */
  readonly better: "more" | "less";
  readonly must: number;
  readonly aim: number;
  readonly unit: "×" | "MiB" | "µs";
}

export const figures = [
  {
    key: "replay_vs_baseline",
    name: "replay from another tab, baseline / profile (p50, 4 tabs)",
    ...{ better: "more", must: 2, aim: 4, unit: "×" },
  },
  {
    key: "replay_vs_ping",
    name: "replay, profile / one Comlink ping (p50)",
    ...{ better: "less", must: 2.4, aim: 1.2, unit: "×" },
  },
  {
    key: "fresh_vs_baseline",
    name: "fresh call, baseline / profile (p50, 4 tabs)",
    ...{ better: "more", must: 1.3, aim: 1.6, unit: "×" },
  },
  {
    key: "fresh_vs_floor",
    name: "fresh call, profile / (strict and relaxed transaction + 2 pings) (p50)",
    ...{ better: "less", must: 1.4, aim: 1.1, unit: "×" },
  },
  {
    key: "baseline_vs_floor",
    name: "fresh call in one tab, baseline / (lock + strict and relaxed transaction) (p50)",
    ...{ better: "less", must: 1.5, aim: 1.5, unit: "×" },
  },
  {
    key: "burst_vs_baseline",
    name: "distinct keys, 16 tabs × 16 in flight, operations a second, profile / baseline",
    ...{ better: "more", must: 8, aim: 14, unit: "×" },
  },
  {
    key: "converge_vs_baseline",
    name: "16 tabs, one key: settlement to last answer, baseline / profile",
    ...{ better: "more", must: 2.2, aim: 4, unit: "×" },
  },
  {
    key: "converge20_vs_baseline",
    name: "20 keys × 16 tabs at once, all answers, baseline / profile",
    ...{ better: "more", must: 7, aim: 12, unit: "×" },
  },
  {
    key: "replay100_vs_baseline",
    name: "100 concurrent replays of one key from one tab, baseline / profile",
    ...{ better: "more", must: 8, aim: 20, unit: "×" },
  },
  {
    key: "worker_mib_per_10k",
    name: "memory in the worker per 10,000 completed records of 1 kB",
    ...{ better: "less", must: 8, aim: 3, unit: "MiB" },
  },
  {
    key: "claim_100k_vs_100",
    name: "fresh call with 100,000 records in the database / with 100",
    ...{ better: "less", must: 1.2, aim: 1, unit: "×" },
  },
  {
    key: "pipeline_us",
    name: "pipeline of src/ alone, on top of calling the handler",
    ...{ better: "less", must: 15, aim: 5, unit: "µs" },
  },
] as const satisfies readonly Figure[];

export type FigureKey = (typeof figures)[number]["key"];
