import type { Begun, IdempotencyStore } from "signett";
import { type Subject, storeOf } from "./subjects.js";

/** Epoch milliseconds with the resolution of `performance.now()`: tabs of one machine agree on them. */
const now = () => performance.timeOrigin + performance.now();

const { signal } = new AbortController();

/** When work began and ended, in epoch milliseconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Target {
  readonly subject: Subject;
  readonly name: string;
}

/** One call whose handler costs nothing: the claim is durable before, and the completion is committed. */
async function call(store: IdempotencyStore, key: string, output: unknown): Promise<Begun> {
  const begun = await store.begin(key, { signal });
  if (begun.state === "in_flight") throw new Error(`"${key}" is in doubt.`);
  if (begun.state === "fresh") await store.complete(key, output, { signal, fence: begun.fence });
  return begun;
}

/** Calls one key after the other and gives the milliseconds of each. Every answer must be in the `expected` state. */
export async function eachCall(
  { subject, name }: Target,
  {
    keys,
    expected,
    bytes = 100,
  }: {
    readonly keys: readonly string[];
    readonly expected: Begun["state"];
    readonly bytes?: number;
  },
): Promise<number[]> {
  const store = storeOf(subject, name);
  const output = { text: "x".repeat(bytes) };
  const times: number[] = [];
  for (const key of keys) {
    const start = performance.now();
    const { state } = await call(store, key, output);
    times.push(performance.now() - start);
    if (state !== expected) throw new Error(`"${key}" was ${state}, not ${expected}.`);
  }
  return times;
}

/** Calls all keys from `startAt` on, so many at a time. */
export async function allCalls(
  { subject, name }: Target,
  {
    keys,
    inFlight,
    startAt,
    bytes = 100,
  }: {
    readonly keys: readonly string[];
    readonly inFlight: number;
    readonly startAt: number;
    readonly bytes?: number;
  },
): Promise<Span> {
  const store = storeOf(subject, name);
  const output = { text: "x".repeat(bytes) };
  await until(startAt);
  const start = now();
  const left = [...keys];
  const one = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) await call(store, key, output);
  };
  await Promise.all(Array.from({ length: inFlight }, one));
  return { start, end: now() };
}

/** Claims a key; what it gives settles it and tells when. */
const owned = new Map<string, () => Promise<void>>();

/** Makes this tab the owner of a key, until {@link settle}. */
export async function own({ subject, name }: Target, key: string): Promise<void> {
  const store = storeOf(subject, name);
  const begun = await store.begin(key, { signal });
  if (begun.state !== "fresh") throw new Error(`"${key}" was ${begun.state}, not fresh.`);
  owned.set(key, () => store.complete(key, { key }, { signal, fence: begun.fence }));
}

/** Completes the key that this tab owns; tells when it began to. */
export async function settle(key: string): Promise<number> {
  const start = now();
  await owned.get(key)?.();
  owned.delete(key);
  return start;
}

const waits = new Map<string, Promise<number>>();

/** Asks for a key that another tab owns; resolves when it is told to wait. */
export function join({ subject, name }: Target, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const answered = storeOf(subject, name)
      .begin(key, { signal, onWait: resolve })
      .then(({ state }) => {
        if (state !== "completed") throw new Error(`"${key}" was ${state}, not completed.`);
        return now();
      });
    answered.catch(reject);
    waits.set(key, answered);
  });
}

/** When the answer came that {@link join} waits for. */
export async function answered(key: string): Promise<number> {
  const time = await waits.get(key);
  waits.delete(key);
  return time ?? Number.NaN;
}

/** To the millisecond. It does not wait busily: others use the processor meanwhile. */
async function until(time: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, time - now()));
}
