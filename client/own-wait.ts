import { inDevelopment } from "../src/development.js";

/** Tools that have been warned of. */
const warned = new Set<string>();

/**
 * A call waits for a key that its own tab owns. Two calls of one intent do; but a handler that calls its own key waits for
 * itself, until the call's `waitTimeoutMs`.
 */
export function warnOfOwnWait(tool: string, key: string): void {
  if (warned.has(tool) || !inDevelopment()) return;
  warned.add(tool);
  console.warn(
    `Signett: a call of "${tool}" waits for the key "${key}", which a call of this same tab owns. If that call's handler ` +
      "made this one, it waits for itself: give what it calls a key of its own.",
  );
}
