import type { Clock } from "../src/clock.js";

/**
 * Runs `task` once `ms` have passed in which this page was awake. After a pause (a sleeping computer, a frozen page) all
 * timers are due at once, before the answers that came meanwhile are heard: so the second half is counted anew.
 */
export function afterAwake(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.after(ms / 2, () => {
    cancel = clock.after(ms / 2, task);
  });
  return () => cancel();
}
