import * as Comlink from "comlink";
import { checked, Refused } from "./checks.js";
import type { Coordinator } from "./coordinator.js";
import { PROTOCOL } from "./names.js";
import type { CoordinatorApi, Failure, Reply, SettleAnswer, Terms } from "./protocol.js";

/** The connection has not said hello, or the call has not begun, since the worker was run anew. */
class Unknown extends Error {
  constructor(readonly kind: "unknown_session" | "unknown_call") {
    super(kind);
  }
}

/** What a session needs from the worker. */
export interface SessionOptions {
  /** Id of this run of the worker. */
  readonly instance: string;
  /** The namespace's coordinator; the worker's own lock is held when this resolves. */
  readonly coordinate: (namespace: string) => Promise<Coordinator>;
}

/** One tab's connection: checks every argument, and turns answers and errors into plain data. */
export function createSession({ instance, coordinate }: SessionOptions): CoordinatorApi {
  let joined: { readonly coordinator: Coordinator; readonly terms: Terms } | undefined;

  const known = () => {
    if (!joined) throw new Unknown("unknown_session");
    return joined;
  };
  const coordinator = (): Coordinator => known().coordinator;
  const terms = (): Terms => known().terms;

  async function reply<Value>(answer: () => Promise<Value> | Value): Promise<Reply<Value>> {
    try {
      return { instance, ok: true, value: await answer() };
    } catch (error) {
      return { instance, ok: false, failure: failureOf(error) };
    }
  }

  const session: CoordinatorApi = {
    hello: (hello) =>
      reply(async () => {
        const { protocol, namespace, terms } = checked.hello(hello);
        if (protocol !== PROTOCOL) {
          throw new Refused(
            `The worker speaks protocol ${PROTOCOL}, and this page ${protocol}: reload the page.`,
          );
        }
        const coordinator = await coordinate(namespace);
        coordinator.joined(terms);
        joined = { coordinator, terms };
        return null;
      }),
    ping: () => reply(() => null),
    begin: (request) => reply(() => coordinator().begin(checked.begin(request), session)),
    wait: (call) =>
      reply(async () => {
        const answer = await coordinator().wait(checked.call(call));
        if (!answer) throw new Unknown("unknown_call");
        return answer;
      }),
    leave: (call) =>
      reply(() => {
        coordinator().leave(checked.call(call));
        return null;
      }),
    freeze: (owners) =>
      reply(() => {
        coordinator().freeze(checked.owners(owners));
        return null;
      }),
    start: (claim, options) =>
      reply(() => coordinator().start(checked.claim(claim), checked.start(options))),
    complete: (claim, output) =>
      reply<SettleAnswer>(() =>
        coordinator().complete(
          { ...checked.claim(claim), ...checked.intent(claim) },
          checked.value(output, "The output"),
          terms(),
        ),
      ),
    release: (claim) => reply(() => coordinator().release(checked.claim(claim))),
    abandon: (claim, options) =>
      reply(() => coordinator().abandon(checked.claim(claim), checked.abandon(options))),
    completed: (intent) =>
      reply(async () => (await coordinator().completed(checked.intent(intent))) ?? null),
    readEntry: (key) => reply(async () => (await coordinator().entry(checked.key(key))) ?? null),
    writeEntry: (claim, entry) =>
      reply(() =>
        coordinator().journal(checked.claim(claim), {
          entry: checked.value(entry, "The journal entry"),
        }),
      ),
    removeEntry: (claim) => reply(() => coordinator().journal(checked.claim(claim), undefined)),
    unreadable: (key, fence) =>
      reply(() => coordinator().unreadable(checked.key(key), checked.fence(fence))),
    health: () => reply(() => coordinator().reviewer.health()),
    list: (request) => reply(() => coordinator().reviewer.list(checked.list(request))),
    changes: (since) => reply(() => coordinator().changes.since(checked.revision(since))),
    resolve: (key, request) =>
      reply(() =>
        coordinator().reviewer.resolve(checked.key(key), {
          ...checked.resolve(request),
          ...terms(),
        }),
      ),
    purge: (target, options) =>
      reply(() =>
        coordinator().reviewer.purge(checked.purgeTarget(target), checked.purge(options)),
      ),
    get: (key, options) =>
      reply(
        async () =>
          (await coordinator().reviewer.get(checked.key(key), checked.get(options))) ?? null,
      ),
  };
  const finalize = () => joined?.coordinator.hangUp(session);
  return Object.freeze(
    Object.assign(Object.create(null), session, { [Comlink.finalizer]: finalize }),
  );
}

function failureOf(error: unknown): Failure {
  if (error instanceof Unknown) return { kind: error.kind };
  if (error instanceof Refused) return { kind: "refused", message: error.message };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: "storage", name, message };
}
