import type { CompletedRecord, OperationRecord } from "./records.js";

/** More records than this, or larger outputs (in characters, about), are not kept. */
const MAX_RECORDS = 1_000;
const MAX_SIZE = 4_000;

/**
 * Completed operations in memory, from which replays are answered without a transaction. A purge in any tab must never be
 * overtaken: records are kept only while nobody can purge, and what was read before a purge is not kept after it.
 */
export class Replays {
  readonly #records = new Map<string, CompletedRecord>();
  #era: object | undefined;

  /** From now on, until {@link clear}, nobody purges. */
  open(): void {
    this.#era ??= {};
  }

  /** Forgets everything, also what is being read. */
  renew(): void {
    if (!this.#era) return;
    this.clear();
    this.open();
  }

  /** Forgets everything, and keeps nothing until it is opened again. */
  clear(): void {
    this.#era = undefined;
    this.#records.clear();
  }

  /** To be taken before records are read, and given with them to {@link learn}. */
  get era(): object | undefined {
    return this.#era;
  }

  /** The key's record, as a transaction of this era has left it. */
  learn(key: string, record: OperationRecord | undefined, era: object | undefined): void {
    this.#records.delete(key);
    if (era === undefined || era !== this.#era) return;
    if (record?.state !== "completed" || !isSmall(record.output)) return;
    this.#records.set(key, record);
    const [oldest] = this.#records.keys();
    if (this.#records.size > MAX_RECORDS && oldest !== undefined) this.#records.delete(oldest);
  }

  find(key: string): CompletedRecord | undefined {
    return this.#records.get(key);
  }

  /** The record may not be what it was. */
  forget(key: string): void {
    this.#records.delete(key);
  }
}

/** Looks at no more of the output than it takes to say no. */
function isSmall(output: unknown): boolean {
  const left: unknown[] = [output];
  let size = 0;
  for (let value = left.pop(); size <= MAX_SIZE; value = left.pop()) {
    size += sizeOf(value);
    if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
      for (const key in value) {
        size += key.length;
        if (size > MAX_SIZE) return false;
        left.push((value as Record<string, unknown>)[key]);
      }
    }
    if (left.length === 0) return size <= MAX_SIZE;
  }
  return false;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return value instanceof Uint8Array ? value.byteLength : 8;
}
