import type { Moment } from "../../src/testing/profile/database.js";

/** Where storage will fail. */
interface StorageFault {
  readonly moment: Moment;
  readonly error: DOMException;
  skip: number;
  times: number;
}

/** The failures of storage that are to come. */
export class StorageFaults {
  #faults: StorageFault[] = [];
  readonly #failed: () => void;

  /** @param failed Called when storage fails. */
  constructor(failed: () => void) {
    this.#failed = failed;
  }

  add(fault: StorageFault): void {
    this.#faults.push(fault);
  }

  /** Storage works again. */
  clear(): void {
    this.#faults = [];
  }

  /** What such a moment fails with, if it fails. */
  at(moment: Moment): DOMException | undefined {
    const fault = this.#faults.find((other) => other.moment === moment && other.times > 0);
    if (!fault) return undefined;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return undefined;
    }
    fault.times -= 1;
    this.#failed();
    return fault.error;
  }
}
