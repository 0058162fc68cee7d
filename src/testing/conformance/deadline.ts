import { fail } from "./expectations.js";

/** How long a call may take before its check fails. */
export class Deadline {
  readonly #ms: number;

  /** @param ms Milliseconds, a positive number. */
  constructor(ms: number) {
    if (!(ms > 0)) throw new RangeError("`timeoutMs` must be a positive number.");
    this.#ms = ms;
  }

  /** What the work gives, or a failure that says what did not come. */
  async within<T>(work: Promise<T> | T, what: string): Promise<T> {
    const outcome = await this.#settled(work);
    return outcome ? outcome.value : fail(`${what} did not settle within ${this.#ms} ms`);
  }

  /** Whether the work was done in time. */
  async met(work: Promise<unknown>): Promise<boolean> {
    return (await this.#settled(work)) !== undefined;
  }

  async #settled<T>(work: Promise<T> | T): Promise<{ readonly value: T } | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.#ms, undefined);
    });
    try {
      return await Promise.race([Promise.resolve(work).then((value) => ({ value })), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
