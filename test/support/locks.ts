interface Held {
  readonly name: string;
  readonly mode: LockMode;
}

interface Request extends Held {
  /** Runs the callback; resolves when the lock may go. */
  readonly grant: () => Promise<void>;
}

/**
 * A lock manager in memory that keeps the order of the Web Locks specification: requests for one name are granted
 * first come, first served, shared ones together. Grants come in a task of their own, as they do in a browser.
 */
export class TestLocks implements LockManager {
  #held: Held[] = [];
  #pending: Request[] = [];

  request<T>(name: string, callback: LockGrantedCallback<T>): Promise<Awaited<T>>;
  request<T>(
    name: string,
    options: LockOptions,
    callback: LockGrantedCallback<T>,
  ): Promise<Awaited<T>>;
  request<T>(
    name: string,
    ...rest: [LockGrantedCallback<T>] | [LockOptions, LockGrantedCallback<T>]
  ): Promise<Awaited<T>> {
    const [options, callback] = rest.length === 1 ? [{}, rest[0]] : rest;
    const { mode = "exclusive", signal, steal, ifAvailable } = options;
    if (steal) return Promise.reject(new DOMException("Nobody steals.", "NotSupportedError"));
    if (ifAvailable && !this.#isFree(name, mode)) return Promise.resolve(callback(null));
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const request: Request = {
        name,
        mode,
        grant: async () => {
          signal?.removeEventListener("abort", abort);
          try {
            const value = await callback({ name, mode });
            this.#release(request);
            resolve(value);
          } catch (error) {
            this.#release(request);
            reject(error);
          }
        },
      };
      const abort = () => {
        this.#pending = this.#pending.filter((other) => other !== request);
        reject(signal?.reason);
        this.#process();
      };
      signal?.addEventListener("abort", abort);
      this.#pending.push(request);
      this.#process();
    });
  }

  async query(): Promise<{ held: Held[]; pending: Held[] }> {
    const plain = ({ name, mode }: Held): Held => ({ name, mode });
    return { held: this.#held.map(plain), pending: this.#pending.map(plain) };
  }

  /** Whoever holds this lock is gone, without a word: its own request never settles. */
  kill(name: string): void {
    this.#held = this.#held.filter((lock) => lock.name !== name);
    this.#process();
  }

  #release(request: Request): void {
    this.#held = this.#held.filter((lock) => lock !== request);
    this.#process();
  }

  /** A request made now would be granted at once. */
  #isFree(name: string, mode: LockMode): boolean {
    const of = (locks: readonly Held[]) => locks.filter((lock) => lock.name === name);
    if (of(this.#pending).length > 0) return false;
    return mode === "shared"
      ? of(this.#held).every((lock) => lock.mode === "shared")
      : of(this.#held).length === 0;
  }

  #process(): void {
    const blocked = new Set<string>();
    for (const request of [...this.#pending]) {
      const rivals = this.#held.filter(({ name }) => name === request.name);
      const free =
        rivals.length === 0 ||
        (request.mode === "shared" && rivals.every(({ mode }) => mode === "shared"));
      if (!free || blocked.has(request.name)) {
        blocked.add(request.name);
        continue;
      }
      this.#pending = this.#pending.filter((other) => other !== request);
      this.#held.push(request);
      setImmediate(() => void request.grant());
    }
  }
}

/** Takes a lock as a tab does. Resolves once it is held, with what gives it back. */
export function hold(locks: LockManager, name: string): Promise<() => void> {
  return new Promise((held, failed) => {
    locks.request(name, () => new Promise<void>((release) => held(release))).catch(failed);
  });
}
