import type { KeyStretch } from "./key-range.js";
import type { OperationRecord } from "./records.js";

/** A stretch of the records, in the order of their keys. */
export interface RecordsQuery extends KeyStretch {
  /** `undefined`: any. */
  readonly state: OperationRecord["state"] | undefined;
  readonly limit: number;
}

/**
 * The rows that one transaction sees. This is the seam between the decisions above and the browser's database below:
 * within a transaction nothing else may be awaited, or IndexedDB commits it early.
 */
export interface Rows {
  record(key: string): Promise<OperationRecord | undefined>;
  putRecord(record: OperationRecord): Promise<unknown>;
  deleteRecord(key: string): Promise<unknown>;
  /** An operation's journal entry, boxed so that every value can be told from "no entry". */
  entry(key: string): Promise<{ readonly entry: unknown } | undefined>;
  putEntry(key: string, entry: unknown): Promise<unknown>;
  deleteEntry(key: string): Promise<unknown>;
  /** The last fence that any claim of the profile was given. */
  lastFence(): Promise<number>;
  putLastFence(fence: number): Promise<unknown>;
}

/** All that one transaction sees, for those who do not only ask for single keys. */
export interface AllRows extends Rows {
  records(query: RecordsQuery): Promise<OperationRecord[]>;
  /** How many records there are in this state. */
  count(state: OperationRecord["state"]): Promise<number>;
  /** Records that expire, the first to expire first. */
  expiring(limit: number): Promise<OperationRecord[]>;
  countExpiring(): Promise<number>;
}
