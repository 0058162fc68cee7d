import type { Operations } from "./operations.js";
import type { Recorder } from "./recorder.js";
import type { Tabs } from "./tabs.js";
import { pause, within } from "./within.js";

/** A call that goes on for longer is stuck. */
const LONGEST_MS = 40_000;
const AT_ONCE = 8;
const LOOK_AGAIN_MS = 100;

/** Resolves when no call is open, or when those that are will not end. */
export async function quiescence(recorder: Recorder): Promise<void> {
  const began = recorder.now;
  while (recorder.open > 0 && recorder.now < began + LONGEST_MS) await pause(LOOK_AGAIN_MS);
}

/** Calls every key once more, from all tabs in turn. */
export async function callAllOnceMore(
  operations: Operations,
  tabs: Tabs,
  recorder: Recorder,
): Promise<void> {
  recorder.afterwards = true;
  const rest = [...operations.all.entries()];
  const callers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = rest.pop(); next; next = rest.pop()) {
      const [number, operation] = next;
      for (const tab of tabs.ready([number])) {
        await within(LONGEST_MS, "a call", tab.call(operation)).catch(() => {});
      }
    }
  });
  await Promise.all(callers);
}
