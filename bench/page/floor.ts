import * as Comlink from "comlink";
import type { FloorWorker } from "./floor.worker.js";

let worker: Comlink.Remote<FloorWorker> | undefined;

function connected(): Comlink.Remote<FloorWorker> {
  worker ??= Comlink.wrap<FloorWorker>(
    new SharedWorker(new URL("./floor.worker.ts", import.meta.url), { type: "module" }).port,
  );
  return worker;
}

async function timed(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await work(i);
    times.push(performance.now() - start);
  }
  return times;
}

/** What the platform's own parts cost, in milliseconds. */
export const floor = {
  pings: (count: number) => timed(count, () => connected().ping()),
  transactions: (count: number) => connected().transactions(count),
  /** A call to the worker for a strict transaction, and then one for a relaxed one: what a fresh call waits for. */
  inTurn: (count: number) =>
    timed(count, async (i) => {
      await connected().transaction("strict", [`${i}`]);
      await connected().transaction("relaxed", [`${i}`]);
    }),
  /** The database's part in a burst of fresh calls. */
  operations: (count: number, together: number) => connected().operations(count, together),
  /** A lock that nobody else has, taken and given back. */
  locks: (count: number) => timed(count, (i) => navigator.locks.request(`floor ${i}`, () => {})),
};
