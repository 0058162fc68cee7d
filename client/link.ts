import type { Clock } from "../src/clock.js";
import type { CoordinatorApi, Reply } from "../worker/protocol.js";
import type { Connection } from "./connection.js";
import { Deadlines } from "./deadline.js";
import { ConnectionLost, disposed, rebuilt, unstable } from "./failures.js";
import { Pulse } from "./pulse.js";

/** How often one request is issued again before it is given up. */
const MAX_ISSUES = 8;

/**
 * How long a request may take that waits for no person and no other tab, in milliseconds. It is above what the coordinator
 * allows its storage, so that a storage that hangs is reported as such; a coordinator that hangs is noticed by {@link Pulse}.
 */
const REQUEST_MS = 60_000;

type Request<Value> = (remote: CoordinatorApi) => Promise<Reply<Value>>;

/** What a link needs of its tab. */
export interface LinkOptions {
  readonly coordination: {
    /** Gives up when the signal aborts. */
    connect(signal: AbortSignal): Promise<Connection>;
    /** The coordinator of the present connection hangs: the next connection is to another one. */
    skip(): void;
  };
  readonly locks: LockManager;
  readonly clock: Clock;
  readonly instanceLock: (instance: string) => string;
  /** Called when there is a connection. */
  readonly connected: (connection: Connection) => void;
  /** Called when a connection was lost, before anything is issued again. */
  readonly lost: () => void;
  /** Something is open, or will be: whether the worker lives matters. */
  readonly busy: () => boolean;
  /** Called when no request is pending. */
  readonly rested: () => void;
}

/** The tab's line to whichever coordinator runs now: connects on first use, and again when it is lost. */
export class Link {
  readonly #options: LinkOptions;
  readonly #pulse: Pulse;
  readonly #deadlines: Deadlines;
  /** Ends each request that has no answer, when none can come any more. */
  readonly #unanswered = new Set<() => void>();
  #connecting: Promise<Connection> | undefined;
  #abandon: (() => void) | undefined;
  /** Set while the page is frozen: nothing is sent until it is over. */
  #frozen: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  #connection: Connection | undefined;
  #watch: { readonly connection: Connection; readonly stop: AbortController } | undefined;
  #pending = 0;
  #closed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#pulse = new Pulse(options.clock);
    this.#deadlines = new Deadlines(options.clock, REQUEST_MS);
  }

  /** The current connection, or a new one. */
  connected(): Promise<Connection> {
    if (this.#closed) return Promise.reject(disposed());
    this.#connecting ??= this.#open();
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    const abandoned = new AbortController();
    this.#abandon = () => abandoned.abort();
    try {
      const connection = await this.#options.coordination.connect(abandoned.signal);
      this.#connection = connection;
      this.#options.connected(connection);
      connection.gone.addEventListener("abort", () => this.#lose());
      return connection;
    } catch (error) {
      this.#connecting = undefined;
      throw error;
    }
  }

  #lose(): void {
    this.#connecting = undefined;
    this.#connection = undefined;
    this.#stopWatching();
    this.#options.lost();
    for (const end of this.#unanswered) end();
  }

  /**
   * Sends one request once. Throws {@link ConnectionLost} when no answer can come any more.
   *
   * @param patient The answer depends on a person or another tab, so that it may take any time.
   */
  send<Value>(request: Request<Value>, { patient = false } = {}): Promise<Value> {
    return this.#keeping(async () => {
      await this.awake();
      const connection = await this.connected();
      this.#watchOver(connection);
      const hang = () => this.#hang(connection);
      const cancel = patient ? () => {} : this.#deadlines.add(hang);
      const reply = await this.#answer(connection, request).finally(cancel);
      if (reply.ok) return reply.value;
      throw rebuilt(reply.failure);
    });
  }

  /** Sends one request, again after each loss of the worker. All requests but `begin` may be repeated as they are. */
  ask<Value>(request: Request<Value>): Promise<Value> {
    // Pending between two issues, too: a profile that is disposed keeps its link until then.
    return this.#keeping(() => again(() => this.send(request)));
  }

  /** Counts as a pending request until it has ended. */
  async #keeping<Value>(request: () => Promise<Value>): Promise<Value> {
    this.#pending += 1;
    try {
      return await request();
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#options.rested();
    }
  }

  /** Requests are on their way. */
  get pending(): boolean {
    return this.#pending > 0;
  }

  /** Lets go of what nobody needs: the watch over a worker, and the whole of a coordinator in this page. */
  rest(): void {
    if (this.#pending > 0) return;
    this.#pulse.stop();
    if (this.#options.busy()) return;
    this.#stopWatching();
    if (this.#connection?.inPage) this.#connection.close();
  }

  /** Resolves when the page is not frozen. */
  async awake(): Promise<void> {
    await this.#frozen?.over;
  }

  /**
   * The page goes into the back/forward cache, where any message would evict it: the coordinator is told so, with the
   * client ids that are in use, and the connection ends. All requests are issued again after {@link thaw}.
   */
  freeze(owners: readonly string[]): void {
    if (this.#frozen) return;
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#frozen = { over, end };
    this.#abandon?.();
    const connection = this.#connection;
    if (!connection) return;
    const told = connection.remote.freeze(owners).catch(() => {});
    // A coordinator in this page would not hear it any more; its port evicts nobody.
    if (connection.inPage) void told.then(() => connection.close());
    else connection.close();
  }

  /** The page is shown again. */
  thaw(): void {
    this.#connection?.close();
    this.#frozen?.end();
    this.#frozen = undefined;
  }

  /** Refuses new requests and lets the connection go. */
  close(): void {
    this.#closed = true;
    this.#stopWatching();
    this.#connecting?.then((connection) => connection.close()).catch(() => {});
  }

  /** The connection's answer, from the run of the coordinator that the connection was made to. */
  async #answer<Value>(connection: Connection, request: Request<Value>): Promise<Reply<Value>> {
    if (connection.gone.aborted) throw new ConnectionLost();
    let end: () => void = () => {};
    const lost = new Promise<never>((_, reject) => {
      end = () => reject(new ConnectionLost());
      this.#unanswered.add(end);
    });
    try {
      const reply = await Promise.race([request(connection.remote), lost]);
      if (reply.instance === connection.instance) return reply;
      connection.close();
      throw new ConnectionLost();
    } finally {
      this.#unanswered.delete(end);
    }
  }

  /** It does not answer. If it only seems so, it costs time: records and locks exclude, not coordinators. */
  #hang(connection: Connection): void {
    if (connection.gone.aborted) return;
    this.#options.coordination.skip();
    connection.close();
  }

  #stopWatching(): void {
    this.#pulse.stop();
    this.#watch?.stop.abort();
    this.#watch = undefined;
  }

  /** Learns of the worker's end, and feels its pulse, while something is open. */
  #watchOver(connection: Connection): void {
    if (connection.inPage || connection.gone.aborted) return;
    if (this.#watch?.connection !== connection) this.#awaitEnd(connection);
    this.#pulse.start({
      ping: () => this.#answer(connection, (remote) => remote.ping()),
      silent: () => this.#hang(connection),
    });
  }

  /** A worker holds its lock from its first answer on. Being granted it proves that the worker is gone. */
  #awaitEnd(connection: Connection): void {
    this.#stopWatching();
    const stop = new AbortController();
    this.#watch = { connection, stop };
    const { locks, instanceLock } = this.#options;
    const options = { mode: "shared", signal: stop.signal } as const;
    locks
      .request(instanceLock(connection.instance), options, () => {})
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
