import * as Comlink from "comlink";
import type { Clock } from "../src/clock.js";
import { PROTOCOL } from "../worker/names.js";
import type { CoordinatorApi, Terms } from "../worker/protocol.js";
import { afterAwake } from "./deadline.js";
import { rebuilt } from "./failures.js";
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
}

/** The coordinator's methods, all of them. */
const METHODS = {
  hello: true,
  ping: true,
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
  changes: true,
  unreadable: true,
  health: true,
  resolve: true,
  purge: true,
} satisfies Record<keyof CoordinatorApi, true>;

/**
 * Comlink makes a proxy for each method that is read, and a finalizer for each proxy. One that is collected while the page
 * is cached would run script there, and Chromium evicts the page: so each method is read once and kept.
 */
function kept(proxy: Comlink.Remote<CoordinatorApi>): CoordinatorApi {
  const names = Object.keys(METHODS) as (keyof CoordinatorApi)[];
  return Object.fromEntries(names.map((name) => [name, proxy[name]])) as unknown as CoordinatorApi;
}

/**
 * Says hello.
 *
 * @throws {NotStarted} if the coordinator's code does not run, {Silent} if it does not answer in time, and a
 *   `CoordinationUnavailableError` if it refuses.
 */
export async function greet(line: Line, options: GreetOptions): Promise<Connection> {
  const proxy = Comlink.wrap<CoordinatorApi>(line.port);
  const remote = kept(proxy);
  const gone = new AbortController();
  const close = () => {
    if (gone.signal.aborted) return;
    gone.abort();
    proxy[Comlink.releaseProxy]();
    line.close();
  };
  try {
    const { namespace, terms, helloTimeoutMs, clock } = options;
    const hello = remote.hello({ protocol: PROTOCOL, namespace, terms });
    const reply = await within(helloTimeoutMs, clock, Promise.race([hello, line.failed]));
    if (!reply.ok) throw rebuilt(reply.failure);
    return { remote, instance: reply.instance, inPage: line.inPage, gone: gone.signal, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The answer, unless the time passes first. */
async function within<T>(ms: number, clock: Clock, answer: Promise<T>): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = afterAwake(clock, ms, () =>
      reject(new Silent(`the coordination worker did not answer within ${ms} ms`)),
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
