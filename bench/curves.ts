import type { Browser } from "./browser.js";
import * as measures from "./measures.js";
import type { Subject } from "./page/subjects.js";
import type { Target } from "./page/work.js";
import { median } from "./statistics.js";

/** How one value grows with another. */
export interface Curve {
  /** Of the file that shows it, and of its key in the JSON. */
  readonly name: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: Readonly<Record<string, readonly Point[]>>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const subjects: readonly Subject[] = ["profile", "baseline"];

/** Measures one line for each subject, both at each point in turn. */
async function compare(
  xs: readonly number[],
  measure: (target: Target, x: number) => Promise<number>,
): Promise<Curve["lines"]> {
  const lines: Record<Subject, Point[]> = { profile: [], baseline: [] };
  for (const x of xs) {
    const ys: Record<Subject, number[]> = { profile: [], baseline: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const order = round % 2 === 0 ? subjects : [...subjects].reverse();
      for (const subject of order) {
        ys[subject].push(await measure({ subject, name: `curves-${subject}` }, x));
      }
    }
    for (const subject of subjects) lines[subject].push({ x, y: median(ys[subject]) });
  }
  return lines;
}

const ROUNDS = 3;

/** Operations a second on keys that nobody shares, 8 in flight in each tab. */
export async function throughputByTabs(browser: Browser): Promise<Curve> {
  const lines = await compare([1, 4, 16, 64], async (target, count) => {
    const tabs = await browser.tabs(count);
    await measures.warmUp(tabs, target);
    const each = Math.max(16, 512 / count);
    const [ms = Number.NaN] = await measures.burst(tabs, target, { each, inFlight: 8 });
    return (1_000 * each * count) / ms;
  });
  const title = "Fresh calls a second, 8 in flight in each tab";
  return { name: "throughput-by-tabs", title, x: "tabs", y: "calls a second", lines };
}

export async function throughputByFlight(browser: Browser): Promise<Curve> {
  const tabs = await browser.tabs(4);
  for (const subject of subjects) {
    await measures.warmUp(tabs, { subject, name: `curves-${subject}` });
  }
  const lines = await compare([1, 4, 16, 64, 256], async (target, inFlight) => {
    const each = Math.max(32, inFlight);
    const [ms = Number.NaN] = await measures.burst(tabs, target, { each, inFlight });
    return (1_000 * each * tabs.length) / ms;
  });
  const title = "Fresh calls a second in 4 tabs";
  return {
    name: "throughput-by-flight",
    title,
    x: "in flight in each tab",
    y: "calls a second",
    lines,
  };
}

/** The baseline is left out: it reads by key as well, and has no worker to ask. */
export async function latencyByRecords(browser: Browser): Promise<Curve> {
  const tabs = await browser.tabs(4);
  const target: Target = { subject: "profile", name: "curves-records" };
  const lines: Record<string, Point[]> = { "fresh call": [], replay: [] };
  let from = 0;
  for (const to of [100, 1_000, 10_000, 100_000, 1_000_000]) {
    await measures.filled(tabs, target.name, { from, to });
    from = to;
    await measures.warmUp(tabs, target);
    lines["fresh call"]?.push({ x: to, y: median(await measures.fresh(tabs, target, 60)) });
    lines.replay?.push({ x: to, y: median(await measures.replay(tabs, target, 60)) });
  }
  const title = "One call in a profile with many records, p50";
  return { name: "latency-by-records", title, x: "records", y: "milliseconds", lines };
}

export async function latencyBySize(browser: Browser): Promise<Curve> {
  const tabs = await browser.tabs(4);
  const lines = await compare([100, 1_000, 10_000, 100_000, 1_000_000], async (target, bytes) =>
    median(await measures.fresh(tabs, target, 20, bytes)),
  );
  const title = "One fresh call by the size of its output, p50";
  return { name: "latency-by-size", title, x: "bytes of output", y: "milliseconds", lines };
}

/** The curve as a Markdown table. */
export function tableOf({ title, x, lines }: Curve): string {
  const names = Object.keys(lines);
  const xs = Object.values(lines)[0]?.map((point) => point.x) ?? [];
  const rows = xs.map((value, index) => {
    const ys = names.map((name) => lines[name]?.[index]?.y ?? Number.NaN);
    return `| ${value} | ${ys.map((y) => (y >= 100 ? y.toFixed(0) : y.toFixed(2))).join(" | ")} |`;
  });
  const head = `| ${x} | ${names.join(" | ")} |\n|${" --- |".repeat(names.length + 1)}`;
  return `${title}\n\n${head}\n${rows.join("\n")}`;
}
