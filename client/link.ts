import type { CoordinatorApi, Reply } from "../worker/protocol.js";
import type { Connection } from "./connection.js";
import { ConnectionLost, disposed, rebuilt, unstable } from "./failures.js";

/** How often one request is issued again before it is given up. */
const MAX_ISSUES = 8;

/** The tab's line to whichever worker runs now: connects on first use, and again when the worker is lost. */
export class Link {
  readonly #connect: () => Promise<Connection>;
  readonly #locks: LockManager;
  readonly #instanceLock: (instance: string) => string;
  readonly #lost: () => void;
  readonly #busy: () => boolean;
  readonly #rested: () => void;
  #connecting: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #watch: { readonly connection: Connection; readonly stop: AbortController } | undefined;
  #pending = 0;
  #closed = false;

  constructor(options: {
    readonly connect: () => Promise<Connection>;
    readonly locks: LockManager;
    readonly instanceLock: (instance: string) => string;
    /** Called when a connection was lost, before anything is issued again. */
    readonly lost: () => void;
    /** Something is open, or will be: whether the worker lives matters. */
    readonly busy: () => boolean;
    /** Called when no request is pending. */
    readonly rested: () => void;
  }) {
    this.#connect = options.connect;
    this.#locks = options.locks;
    this.#instanceLock = options.instanceLock;
    this.#lost = options.lost;
    this.#busy = options.busy;
    this.#rested = options.rested;
  }

  /** The current connection, or a new one. */
  connected(): Promise<Connection> {
    if (this.#closed) return Promise.reject(disposed());
    this.#connecting ??= this.#open();
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await this.#connect();
      this.#connection = connection;
      connection.gone.addEventListener("abort", () => {
        this.#connecting = undefined;
        this.#connection = undefined;
        this.#stopWatching();
        this.#lost();
      });
      return connection;
    } catch (error) {
      this.#connecting = undefined;
      throw error;
    }
  }

  /** Sends one request once. Throws {@link ConnectionLost} when no answer can come any more. */
  async send<Value>(request: (remote: CoordinatorApi) => Promise<Reply<Value>>): Promise<Value> {
    this.#pending += 1;
    try {
      const connection = await this.connected();
      this.#watchOver(connection);
      const reply = await raced(() => request(connection.remote), connection.gone);
      if (reply.instance !== connection.instance) {
        connection.close();
        throw new ConnectionLost();
      }
      if (reply.ok) return reply.value;
      throw rebuilt(reply.failure);
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#rested();
    }
  }

  /** Sends one request, again after each loss of the worker. All requests but `begin` may be repeated as they are. */
  async ask<Value>(request: (remote: CoordinatorApi) => Promise<Reply<Value>>): Promise<Value> {
    return again(() => this.send(request));
  }

  /** Requests are on their way. */
  get pending(): boolean {
    return this.#pending > 0;
  }

  /** Lets go of what nobody needs: the watch over a worker, and the whole of a coordinator in this page. */
  rest(): void {
    if (this.#pending > 0 || this.#busy()) return;
    this.#stopWatching();
    if (this.#connection?.inPage) this.#connection.close();
  }

  /** Refuses new requests and lets the connection go. */
  close(): void {
    this.#closed = true;
    this.#stopWatching();
    this.#connecting?.then((connection) => connection.close()).catch(() => {});
  }

  #stopWatching(): void {
    this.#watch?.stop.abort();
    this.#watch = undefined;
  }

  /** A worker holds its lock from its first answer on. Being granted it proves that the worker is gone. */
  #watchOver(connection: Connection): void {
    if (connection.inPage) return;
    if (this.#watch?.connection === connection || connection.gone.aborted) return;
    this.#stopWatching();
    const stop = new AbortController();
    this.#watch = { connection, stop };
    this.#locks
      .request(
        this.#instanceLock(connection.instance),
        { mode: "shared", signal: stop.signal },
        () => {},
      )
      .then(
        () => connection.close(),
        () => {},
      );
  }
}

/** Repeats `issue` while connections are lost under it: every request can be issued again. */
export async function again<T>(issue: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < MAX_ISSUES; attempt++) {
    try {
      return await issue(attempt);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }
  throw unstable();
}

async function raced<T>(issue: () => Promise<T>, gone: AbortSignal): Promise<T> {
  if (gone.aborted) throw new ConnectionLost();
  let stop: () => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    stop = () => reject(new ConnectionLost());
    gone.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([issue(), lost]);
  } finally {
    gone.removeEventListener("abort", stop);
  }
}
