import * as Comlink from "comlink";
import type { Clock } from "../src/clock.js";
import { PROTOCOL } from "../worker/names.js";
import type { CoordinatorApi } from "../worker/protocol.js";
import { notLoaded, rebuilt, silent } from "./failures.js";

/** One tab's connection to one run of the worker. */
export interface Connection {
  readonly remote: CoordinatorApi;
  /** Id of the worker's run. */
  readonly instance: string;
  /** Aborts when the worker, or this connection to it, is known to be gone. Replies that come later don't count. */
  readonly gone: AbortSignal;
  lose(): void;
  close(): void;
}

export interface ConnectOptions {
  readonly worker: () => SharedWorker;
  readonly namespace: string;
  readonly helloTimeoutMs: number;
  readonly clock: Clock;
}

/** The worker's methods, all of them. */
const METHODS = {
  hello: true,
  begin: true,
  wait: true,
  leave: true,
  start: true,
  complete: true,
  release: true,
  abandon: true,
  completed: true,
  readEntry: true,
  writeEntry: true,
  removeEntry: true,
  list: true,
  get: true,
} satisfies Record<keyof CoordinatorApi, true>;

/**
 * Comlink makes a proxy for each method that is read, and a finalizer for each proxy. One that is collected while the page
 * is cached would run script there, and Chromium evicts the page: so each method is read once and kept.
 */
function kept(proxy: Comlink.Remote<CoordinatorApi>): CoordinatorApi {
  const names = Object.keys(METHODS) as (keyof CoordinatorApi)[];
  return Object.fromEntries(names.map((name) => [name, proxy[name]])) as unknown as CoordinatorApi;
}

/** Starts or joins the worker and says hello. Every failure is a `CoordinationUnavailableError`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const worker = create(options.worker);
  const proxy = Comlink.wrap<CoordinatorApi>(worker.port);
  const remote = kept(proxy);
  const gone = new AbortController();
  const close = () => {
    if (gone.signal.aborted) return;
    gone.abort();
    proxy[Comlink.releaseProxy]();
    worker.port.close();
  };
  try {
    const { namespace, helloTimeoutMs, clock } = options;
    const hello = remote.hello({ protocol: PROTOCOL, namespace });
    const reply = await within(helloTimeoutMs, { clock, worker }, hello);
    if (!reply.ok) throw rebuilt(reply.failure);
    return { remote, instance: reply.instance, gone: gone.signal, lose: close, close };
  } catch (error) {
    close();
    throw error;
  }
}

function create(worker: () => SharedWorker): SharedWorker {
  try {
    return worker();
  } catch (error) {
    throw notLoaded(error instanceof Error ? error.message : "it could not be created.", error);
  }
}

/** The answer, unless the script fails or the time passes first. */
async function within<T>(
  ms: number,
  { clock, worker }: { readonly clock: Clock; readonly worker: SharedWorker },
  answer: Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener(
      "error",
      (event) => {
        // A script that is missing, blocked or no JavaScript gives a bare event without a message.
        const message = event instanceof ErrorEvent ? event.message : "";
        reject(
          notLoaded(
            message || "its script is missing, blocked by a policy, or not a JavaScript module.",
            event,
          ),
        );
      },
      { signal: ended.signal },
    );
    const cancel = clock.after(ms, () => reject(silent(ms)));
    ended.signal.addEventListener("abort", cancel);
  });
  try {
    return await Promise.race([answer, failed]);
  } finally {
    ended.abort();
  }
}
