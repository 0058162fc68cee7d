import { inDevelopment } from "./development.js";
import type { Emit } from "./events.js";

const reported = new WeakSet<object>();

/**
 * Reports, once per tool, a handler that finished without ever writing its journal: its failures can't be told from
 * lost answers, and a crash in it can run the effect twice.
 */
export function reportUnusedJournal(tool: { readonly name: string }, emit: Emit): void {
  if (reported.has(tool)) return;
  reported.add(tool);
  emit("journal_unused");
  if (!inDevelopment()) return;
  console.warn(
    `Signett: "${tool.name}" finished without operation.write(). Write a correlation immediately before the effect: ` +
      "without it a lost answer can't be recovered, and a crash can run the effect twice.",
  );
}
