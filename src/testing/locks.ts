import { type LockRequest, LockTable } from "./lock-table.js";

/** The lock manager of one tab or worker among those that share a {@link TestLockManager}. */
export interface TestLockClient extends LockManager {
  /** As `query()` names it. */
  readonly clientId: string;
  /**
   * Ends the client as a closed or crashed tab ends: what it holds is free, what it waits for is dropped, and its requests
   * never settle. A later request rejects with an `InvalidStateError`. Twice is fine.
   */
  crash(): void;
}

/** Web Locks in memory, for runtimes without `navigator.locks` and for tests that need a tab to die. */
export interface TestLockManager extends LockManager {
  /**
   * Adds a tab or worker that competes for the same locks.
   * @param clientId Default: `"client 1"`, `"client 2"` and so on.
   */
  client(clientId?: string): TestLockClient;
}

/**
 * Creates a lock manager that follows the Web Locks specification: turns, `shared`, `ifAvailable`, `steal`, `signal`,
 * `query()`, and the same refusals. Callbacks run in a microtask, so that no clock and no sleep is involved.
 */
export function createTestLockManager(): TestLockManager {
  const table = new LockTable();
  let clients = 0;
  const client = (clientId = `client ${++clients}`) => new LockClient(table, clientId, atOnce);
  return Object.assign(client("main"), { client });
}

/** How word passes between a client and the locks, each way in its order. */
export interface LockWire {
  readonly toLocks: (task: () => void) => void;
  readonly toClient: (task: () => void) => void;
}

const atOnce: LockWire = { toLocks: (task) => task(), toClient: queueMicrotask };

type RequestArguments<T> =
  | [callback: LockGrantedCallback<T>]
  | [options: LockOptions, callback: LockGrantedCallback<T>];

/** See {@link TestLockClient}. */
export class LockClient implements TestLockClient {
  readonly clientId: string;
  readonly #table: LockTable;
  readonly #wire: LockWire;
  #crashed = false;

  constructor(table: LockTable, clientId: string, wire: LockWire) {
    this.#table = table;
    this.clientId = clientId;
    this.#wire = wire;
  }

  request<T>(name: string, callback: LockGrantedCallback<T>): Promise<Awaited<T>>;
  request<T>(
    name: string,
    options: LockOptions,
    callback: LockGrantedCallback<T>,
  ): Promise<Awaited<T>>;
  async request<T>(name: string, ...rest: RequestArguments<T>): Promise<Awaited<T>> {
    const [options, callback] = rest.length === 2 ? rest : [{}, rest[0]];
    if (this.#crashed) throw new DOMException("This client has crashed.", "InvalidStateError");
    checkRequest(name, options, callback);
    options.signal?.throwIfAborted();
    return await new Promise((resolve, reject) =>
      this.#enqueue(name, options, callback, { resolve, reject }),
    );
  }

  query(): Promise<LockManagerSnapshot> {
    const { toLocks, toClient } = this.#wire;
    return new Promise((resolve) => {
      toLocks(() => {
        const snapshot = this.#table.snapshot();
        toClient(() => resolve(snapshot));
      });
    });
  }

  crash(): void {
    this.#crashed = true;
    this.#wire.toLocks(() => this.#table.removeClient(this.clientId));
  }

  #enqueue<T>(
    name: string,
    { mode = "exclusive", ifAvailable = false, steal = false, signal }: LockOptions,
    callback: LockGrantedCallback<T>,
    { resolve, reject }: Settle<T>,
  ): void {
    const { toLocks, toClient } = this.#wire;
    const abort = () => {
      reject(signal?.reason);
      toLocks(() => this.#table.remove(request));
    };
    const request: LockRequest = {
      name,
      mode,
      clientId: this.clientId,
      stolen: () => toClient(() => reject(new DOMException("The lock was stolen.", "AbortError"))),
      granted: () =>
        toClient(async () => {
          // An abort or a crash may come between the grant and its task.
          if (this.#crashed || signal?.aborted) return;
          signal?.removeEventListener("abort", abort);
          const outcome = run(callback, Object.freeze({ name, mode }));
          await Promise.allSettled([outcome]);
          toLocks(() => this.#table.remove(request));
          if (!this.#crashed) outcome.then(resolve, reject);
        }),
    };
    signal?.addEventListener("abort", abort, { once: true });
    toLocks(() => {
      if (steal) this.#table.steal(request);
      else if (!ifAvailable) this.#table.enqueue(request);
      else if (!this.#table.grantIfAvailable(request)) {
        toClient(() => run(callback, null).then(resolve, reject));
      }
    });
  }
}

interface Settle<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

async function run<T>(callback: LockGrantedCallback<T>, lock: Lock | null): Promise<Awaited<T>> {
  return await callback(lock);
}

/** The specification's refusals, in its order. */
function checkRequest(name: string, options: LockOptions, callback: unknown): void {
  const { mode = "exclusive", ifAvailable = false, steal = false, signal } = options;
  if (typeof callback !== "function") throw new TypeError("The callback is not a function.");
  if (mode !== "exclusive" && mode !== "shared") {
    throw new TypeError(`"${String(mode)}" is no lock mode.`);
  }
  if (name.startsWith("-")) throw notSupported("Names cannot start with '-'.");
  if (steal && ifAvailable) throw notSupported("`steal` and `ifAvailable` exclude each other.");
  if (steal && mode !== "exclusive") throw notSupported("Only exclusive locks can be stolen.");
  if (signal && (steal || ifAvailable)) {
    throw notSupported("`signal` goes with neither `steal` nor `ifAvailable`.");
  }
}

const notSupported = (message: string) => new DOMException(message, "NotSupportedError");
