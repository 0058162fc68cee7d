import * as deaths from "./deaths.js";
import { floor } from "./floor.js";
import { pipeline } from "./pipeline.js";
import { fill } from "./records.js";
import { warmUp } from "./subjects.js";
import * as work from "./work.js";

/** What the runner calls in a tab. */
export const bench = { ...work, ...floor, ...deaths, warmUp, fill, pipeline };

export type Bench = typeof bench;

declare global {
  interface Window {
    bench: Bench;
  }
}

window.bench = bench;
document.documentElement.dataset.ready = "true";
