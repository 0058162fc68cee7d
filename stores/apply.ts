import type { Decision } from "./decisions.js";
import type { OperationRecord } from "./records.js";
import type { Rows } from "./rows.js";

/** Writes what was decided, and gives the record as it now is. */
export async function apply(
  rows: Rows,
  key: string,
  record: OperationRecord | undefined,
  { record: next, clearEntry }: Decision<unknown>,
): Promise<OperationRecord | undefined> {
  if (clearEntry && isJournaled(record)) await rows.deleteEntry(key);
  if (next === "keep") return record;
  if (next === "free") {
    await rows.deleteRecord(key);
    return undefined;
  }
  await rows.putRecord(next);
  return next;
}

/** A journal entry is stored beside the record. */
const isJournaled = (record: OperationRecord | undefined): boolean =>
  record !== undefined && "journaled" in record && record.journaled === true;
