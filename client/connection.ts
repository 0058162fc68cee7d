import * as Comlink from "comlink";
import { PROTOCOL } from "../worker/names.js";
import type { CoordinatorApi, Reply } from "../worker/protocol.js";
import { notLoaded, rebuilt, silent } from "./failures.js";

/** One tab's connection to one run of the worker. */
export interface Connection {
  readonly remote: Comlink.Remote<CoordinatorApi>;
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
}

/** Starts or joins the worker and says hello. Every failure is a `CoordinationUnavailableError`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const worker = create(options.worker);
  const remote = Comlink.wrap<CoordinatorApi>(worker.port);
  const gone = new AbortController();
  const close = () => {
    gone.abort();
    remote[Comlink.releaseProxy]();
    worker.port.close();
  };
  try {
    const { namespace, helloTimeoutMs } = options;
    const hello = remote.hello({ protocol: PROTOCOL, namespace });
    const reply = await within<Reply<null>>(helloTimeoutMs, worker, hello);
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
async function within<T>(ms: number, worker: SharedWorker, answer: Promise<T>): Promise<T> {
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
    const timer = setTimeout(() => reject(silent(ms)), ms);
    ended.signal.addEventListener("abort", () => clearTimeout(timer));
  });
  try {
    return await Promise.race([answer, failed]);
  } finally {
    ended.abort();
  }
}
