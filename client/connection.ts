import * as Comlink from "comlink";
import type { Clock } from "../src/clock.js";
import { PROTOCOL } from "../worker/names.js";
import { packed } from "../worker/packets.js";
import type { CoordinatorApi, Terms } from "../worker/protocol.js";
import { afterAwake } from "./deadline.js";
import { ConnectionLost, rebuilt } from "./failures.js";
import { type Line, Silent } from "./line.js";

/** One tab's connection to one run of a coordinator. */
export interface Connection {
  readonly remote: CoordinatorApi;
  /** Id of the coordinator's run. */
  readonly instance: string;
  /** The coordinator lives in this page: nothing watches it, and it is closed when the page rests. */
  readonly inPage: boolean;
  /** Aborts when the coordinator, or this connection to it, is known to be gone. Replies that come later don't count. */
  readonly gone: AbortSignal;
  close(): void;
}

export interface GreetOptions {
  readonly namespace: string;
  readonly terms: Terms;
  readonly helloTimeoutMs: number;
  readonly clock: Clock;
  /** Nobody wants the connection any more. */
  readonly signal: AbortSignal;
}

/**
 * Comlink makes a proxy for each method that is read, and a finalizer for each proxy. One that is collected while the page
 * is cached would run script there, and Chromium evicts the page: so each method is read once, and released in the end.
 */
function wrap(port: MessagePort) {
  const endpoint = packed(port);
  const proxy = Comlink.wrap<CoordinatorApi>(endpoint);
  const methods = new Map<string, Comlink.ProxyMethods>();
  const remote = new Proxy(proxy, {
    get(_, name: keyof CoordinatorApi) {
      const method = methods.get(name) ?? proxy[name];
      methods.set(name, method);
      return method;
    },
  });
  return {
    remote,
    release() {
      for (const method of methods.values()) method[Comlink.releaseProxy]();
      proxy[Comlink.releaseProxy]();
      endpoint.flush();
    },
  };
}

/**
 * Says hello.
 *
 * @throws {NotStarted} if the coordinator's code does not run, {Silent} if it does not answer in time, and a
 *   `CoordinationUnavailableError` if it refuses, {ConnectionLost} if the signal aborts first.
 */
export async function greet(line: Line, options: GreetOptions): Promise<Connection> {
  const { remote, release } = wrap(line.port);
  const gone = new AbortController();
  const close = () => {
    if (gone.signal.aborted) return;
    gone.abort();
    release();
    line.close();
  };
  try {
    const { namespace, terms, helloTimeoutMs, signal } = options;
    if (signal.aborted) throw new ConnectionLost();
    const hello = remote.hello({ protocol: PROTOCOL, namespace, terms });
    const reply = await within(helloTimeoutMs, options, Promise.race([hello, line.failed]));
    if (!reply.ok) throw rebuilt(reply.failure);
    return { remote, instance: reply.instance, inPage: line.inPage, gone: gone.signal, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The answer, unless the time passes or the signal aborts first. */
async function within<T>(
  ms: number,
  { clock, signal }: GreetOptions,
  answer: Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    const late = () => reject(new Silent(`the coordination worker did not answer within ${ms} ms`));
    ended.signal.addEventListener("abort", afterAwake(clock, ms, late));
    signal.addEventListener("abort", () => reject(new ConnectionLost()), { signal: ended.signal });
  });
  try {
    return await Promise.race([answer, failed]);
  } finally {
    ended.abort();
  }
}
