// Prints the table of `docs/performance.md`: `--rounds N`, `--json FILE`; or, with `--curves`, how cost grows; or, with
// `--takeover`, how soon others get what a dead tab had: `--deaths N`.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { build } from "vite";
import { findChromium } from "../scripts/chromium.mjs";
import { type Browser, openBrowser } from "./browser.js";
import * as curves from "./curves.js";
import * as measures from "./measures.js";
import { plotOf } from "./plot.js";
import { type Ratios, Round } from "./rounds.js";
import { Samples } from "./samples.js";
import { Results } from "./table.js";
import { takeovers } from "./takeovers.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    curves: { type: "boolean", default: false },
    takeover: { type: "boolean", default: false },
    deaths: { type: "string", default: "30" },
    json: { type: "string" },
  },
});

await build({ configFile: "bench/page/vite.config.ts", logLevel: "warn" });
const browser = await openBrowser(await findChromium());
try {
  if (options.curves) await draw(browser);
  else if (options.takeover) await bury(browser, Number(options.deaths));
  else await measure(browser, Number(options.rounds));
} finally {
  await browser.close();
}

async function measure(browser: Browser, rounds: number): Promise<void> {
  const samples = new Samples();
  const results = new Results();
  // Tabs are only ever added, so the parts with few of them come first.
  const parts: Record<string, (round: Round) => Promise<Ratios>> = {
    "1 tab calls": (round) => round.oneCalls(),
    pipeline: (round) => round.pipeline(),
    "4 tabs call": (round) => round.fourCall(),
    records: (round) => round.records(),
    "16 tabs": (round) => round.sixteenTabs(),
  };
  for (const [name, part] of Object.entries(parts)) {
    if (name === "records") await fillDatabases(browser);
    for (let index = 0; index < rounds; index++) {
      console.error(`${name}, round ${index + 1} of ${rounds}`);
      results.add(await part(new Round(browser, samples, index)));
    }
  }
  const machine = `${machineOf(browser)}, ${rounds} rounds`;
  console.log(`\n${machine}\n\n${results.toTable()}\n\n${samples.toTable()}`);
  save({ machine, results, samples });
}

async function bury(browser: Browser, deaths: number): Promise<void> {
  const { table, measured } = await takeovers(browser, deaths);
  const machine = machineOf(browser);
  console.log(`\n${machine}\n\n${table}`);
  save({ machine, takeovers: measured });
}

async function draw(browser: Browser): Promise<void> {
  const drawn: curves.Curve[] = [];
  for (const curve of [
    // Tabs are only ever added, so what needs few of them comes first.
    curves.latencyBySize,
    curves.throughputByFlight,
    curves.latencyByRecords,
    curves.throughputByTabs,
  ]) {
    console.error(curve.name);
    const measured = await curve(browser);
    drawn.push(measured);
    writeFileSync(`docs/images/${measured.name}.svg`, plotOf(measured));
  }
  const machine = machineOf(browser);
  console.log(`\n${machine}\n\n${drawn.map(curves.tableOf).join("\n\n")}`);
  save({ machine, curves: drawn });
}

function machineOf({ version }: Browser): string {
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${cpus().length} × ${cpu?.model.trim()}, ${memory}, Chromium ${version}, Node ${process.version}`;
}

function save(figures: unknown): void {
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}

async function fillDatabases(browser: Browser): Promise<void> {
  const tabs = await browser.tabs(4);
  for (const count of [100, 100_000]) {
    await measures.filled(tabs, `bench-${count}`, { from: 0, to: count });
    await measures.warmUp(tabs, { subject: "profile", name: `bench-${count}` });
  }
}
