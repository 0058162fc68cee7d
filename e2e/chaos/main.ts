// Storms over real tabs, judged by the database's log: `--seconds N`, `--tabs T`, `--seed S`.
import { parseArgs } from "node:util";
import type { BrowserContext } from "@playwright/test";
import { findChromium } from "../../scripts/chromium.mjs";
import { persistentContext } from "../support/browser.js";
import { DemoServer } from "../support/demo-server.js";
import { callAllOnceMore, quiescence } from "./aftermath.js";
import { judge } from "./judge.js";
import { Operations } from "./operations.js";
import { Plan } from "./plan.js";
import { Recorder } from "./recorder.js";
import { isGood, reportOf } from "./report.js";
import { startServer } from "./server.js";
import { Storm } from "./storm.js";
import { Tabs } from "./tabs.js";
import { Weather } from "./weather.js";
import { Workers } from "./workers.js";

/** Few enough for the demo's pages to list them all the time. */
const ORDERS = 48;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    tabs: { type: "string", default: "8" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const seconds = Number(values.seconds);
const count = Number(values.tabs);
const seed = Number(values.seed);

console.log(`${seconds} s of chaos in ${count} tabs, --seed ${seed}`);
process.env.CHROMIUM_PATH ||= await findChromium();
const server = await startServer();
try {
  const options = {
    baseURL: server.origin,
    // As people run it: pages that are left come back from the cache.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  };
  await persistentContext((context) => run(context, new DemoServer(server.origin)), options);
} finally {
  await server.stop();
}

async function run(context: BrowserContext, judgeOf: DemoServer): Promise<void> {
  await judgeOf.reset(ORDERS);
  const recorder = new Recorder();
  const operations = new Operations(await judgeOf.openOrders());
  const tabs = await Tabs.open(context, count, recorder);
  const workers = new Workers(context);
  const storm = new Storm({
    plan: new Plan(seed),
    tabs,
    workers,
    weather: new Weather(judgeOf),
    operations,
    recorder,
    failed: (fault, error) => console.log(`could not happen: ${fault}. ${error}`),
  });
  const progress = setInterval(() => {
    console.log(`${recorder.count} calls, ${recorder.faults.length} faults`);
  }, 10_000);
  await storm.rage(seconds * 1_000);
  clearInterval(progress);
  await tabs.revive();
  await quiescence(recorder);
  await callAllOnceMore(operations, tabs, recorder);
  const { calls, stillnesses, restored, faults } = recorder;
  const effects = await operations.effects(judgeOf);
  const chronicle = { calls, stillnesses, restored, faults, effects, stored: await tabs.stored() };
  const verdict = judge(chronicle);
  console.log(reportOf(chronicle, verdict));
  if (!isGood(verdict)) process.exitCode = 1;
}
