import type { OwnedClaim } from "../stores/records.js";
import type { Answer, BeginRequest, FirstAnswer } from "./protocol.js";

/** A promise and the means to settle it. */
interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Makes a {@link Deferred}. Nobody may be listening when it is rejected. */
function defer<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** A call that has asked for a key and has no answer yet. */
export class Waiter {
  readonly request: BeginRequest;
  /** It stands behind a live owner, so its claim will only be reserved. */
  waited = false;
  /** The first claim that it stood behind. */
  behind: number | undefined;
  /** It wants no answer any more. */
  left = false;
  /** Its page hears nothing here any more: it is in the back/forward cache, or has let go of this line. */
  unheard = false;
  /** The connection that it came over. */
  readonly line: object;
  /** The claim that it was given. */
  claim: OwnedClaim | undefined;
  readonly #first = defer<FirstAnswer>();
  readonly #answer = defer<Answer>();

  constructor(request: BeginRequest, line: object) {
    this.request = request;
    this.line = line;
  }

  /** What `begin` answers. */
  get first(): Promise<FirstAnswer> {
    return this.#first.promise;
  }

  /** What `wait` answers. */
  get answer(): Promise<Answer> {
    return this.#answer.promise;
  }

  tellToWait(): void {
    this.#first.resolve({ state: "waiting" });
  }

  resolve(answer: Answer): void {
    this.#first.resolve(answer);
    this.#answer.resolve(answer);
  }

  reject(reason: unknown): void {
    this.#first.reject(reason);
    this.#answer.reject(reason);
  }
}

/** The callers of one key, first come, first served. */
export class Queue {
  readonly key: string;
  waiters: Waiter[] = [];
  /** Its record is being read right now. */
  busy = false;
  /** Something happened since: read it again. */
  again = false;

  constructor(key: string) {
    this.key = key;
  }

  remove(waiter: Waiter): void {
    this.waiters = this.waiters.filter((other) => other !== waiter);
  }
}
