import fc from "fast-check";
import type { CoordinatorApi, Hello, Reply } from "../../worker/protocol.js";

type Method = keyof CoordinatorApi;

/** What became of the messages that called a method of the worker. */
export interface Answers {
  readonly calls: number;
  /** By the kind of their failure, or `accepted`. */
  readonly answers: Readonly<Record<string, number>>;
  /** The methods that did what they were asked. */
  readonly accepted: readonly Method[];
}

export interface Garbage {
  readonly url: string;
  readonly name: string;
  readonly hello: Hello;
  readonly methods: readonly Method[];
  readonly count: number;
  readonly seed: number;
}

declare global {
  interface Window {
    /** Connects to the worker as any page of the site can, and posts random messages to it. */
    readonly postGarbage: (garbage: Garbage) => Promise<Answers>;
  }
}

const anything = fc.anything({
  ...{ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true },
  ...{ withBoxedValues: true, withSparseArray: true },
});

/** Comlink's messages with anything in any place, and things that are none. */
function messages(methods: readonly Method[]) {
  const name = fc.constantFrom<string>(...methods, "constructor", "__proto__", "toString", "then");
  const argument = fc.record({ type: fc.constantFrom("RAW", "HANDLER"), value: anything });
  const raw = anything.map((value) => ({ type: "RAW", value }));
  return fc.oneof(
    anything,
    fc.record({
      type: fc.oneof(fc.constantFrom("GET", "SET", "APPLY", "CONSTRUCT", "ENDPOINT"), anything),
      path: fc.oneof(fc.array(name, { maxLength: 3 }), anything),
      argumentList: fc.oneof(fc.array(argument, { maxLength: 3 }), anything),
      value: fc.oneof(argument, anything),
    }),
    fc.record({
      type: fc.constant("APPLY"),
      path: fc.constantFrom(...methods).map((method) => [method]),
      argumentList: fc.array(raw, { maxLength: 3 }),
    }),
  );
}

/** The method that a message calls, if it is a call. */
function methodOf(message: unknown): Method | undefined {
  const { type, path, argumentList } = Object(message);
  const plain = Array.isArray(argumentList) && argumentList.every((one) => one?.type === "RAW");
  return type === "APPLY" && plain && path?.length === 1 ? path[0] : undefined;
}

async function postGarbage({ url, name, hello, methods, count, seed }: Garbage): Promise<Answers> {
  const { port } = new SharedWorker(url, { type: "module", name });
  const replies = new Map<unknown, Reply<unknown>>();
  const call = (id: string, method: Method, ...values: unknown[]) =>
    new Promise<void>((answered) => {
      port.addEventListener("message", ({ data }) => {
        if (unpacked(data).some((message) => message.id === id)) answered();
      });
      const argumentList = values.map((value) => ({ type: "RAW", value }));
      port.postMessage({ id, type: "APPLY", path: [method], argumentList });
    });
  port.addEventListener("message", ({ data }) => {
    for (const { id, value } of unpacked(data)) replies.set(id, value);
  });
  port.start();
  await call("hello", "hello", hello);
  const called = new Map<string, Method>();
  const posts = fc.sample(messages(methods), { numRuns: count, seed }).map((message, index) => {
    const id = `garbage ${index}`;
    const method = methodOf(message);
    if (method !== undefined && methods.includes(method)) called.set(id, method);
    return typeof message === "object" && message ? { ...message, id } : message;
  });
  // Alone, and as the library packs them: several together.
  for (let together = 0; posts.length > 0; together = (together + 1) % 4) {
    port.postMessage(together === 0 ? posts.shift() : posts.splice(0, together));
  }
  port.postMessage({ id: "port", type: "ENDPOINT" }, [new MessageChannel().port1]);
  await call("last", "ping");
  // Some answers come after the storage's: the last of those is behind all of them.
  await call("last of all", "health");
  return tally(called, replies);
}

interface Message {
  readonly id: unknown;
  readonly value: Reply<unknown>;
}

/** What comes in one moment comes together. */
const unpacked = (data: Message | Message[]): Message[] => [data].flat();

function tally(
  called: ReadonlyMap<string, Method>,
  replies: ReadonlyMap<unknown, Reply<unknown>>,
): Answers {
  const answers: Record<string, number> = {};
  const accepted = new Set<Method>();
  for (const [id, method] of called) {
    const reply = replies.get(id);
    if (reply?.ok) accepted.add(method);
    const end = reply ? (reply.ok ? "accepted" : reply.failure.kind) : "none";
    answers[end] = (answers[end] ?? 0) + 1;
  }
  return { calls: called.size, answers, accepted: [...accepted] };
}

Object.assign(window, { postGarbage });
document.documentElement.dataset.ready = "true";
