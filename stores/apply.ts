import type { Rows } from "./database.js";
import type { Decision } from "./decisions.js";
import type { OperationRecord } from "./records.js";

/** Writes what was decided, and gives the record as it now is. */
export async function apply(
  rows: Rows,
  key: string,
  record: OperationRecord | undefined,
  { record: next, clearEntry }: Decision<unknown>,
): Promise<OperationRecord | undefined> {
  if (clearEntry) await rows.deleteEntry(key);
  if (next === "keep") return record;
  if (next === "free") {
    await rows.deleteRecord(key);
    return undefined;
  }
  await rows.putRecord(next);
  return next;
}
