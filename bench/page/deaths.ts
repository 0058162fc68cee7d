import { storeOf } from "./subjects.js";
import type { Target } from "./work.js";

/** Epoch milliseconds with the resolution of `performance.now()`: tabs of one machine agree on them. */
const now = () => performance.timeOrigin + performance.now();

const { signal } = new AbortController();
const grants = new Map<string, Promise<number>>();

/** Holds a lock for as long as this tab lives. */
export function holdLock(name: string): Promise<void> {
  return new Promise((held) => {
    void navigator.locks.request(name, () => {
      held();
      return new Promise(() => {});
    });
  });
}

/** Stands in line for a lock that another tab holds. */
export async function awaitLock(name: string): Promise<void> {
  grants.set(name, navigator.locks.request(name, now));
  // The browser answers in turn: by then it knows of the request.
  await navigator.locks.query();
}

/** Asks for a key that another tab owns, in the middle of its operation; resolves when it is told to wait. */
export function awaitTakeover({ subject, name }: Target, key: string): Promise<void> {
  const store = storeOf(subject, name);
  return new Promise((onWait, reject) => {
    const taken = store.begin(key, { signal, onWait }).then(async (begun) => {
      const time = now();
      if (begun.state !== "in_flight") throw new Error(`"${key}" was ${begun.state}.`);
      await store.complete(key, {}, { signal, fence: begun.fence });
      return time;
    });
    taken.catch(reject);
    grants.set(key, taken);
  });
}

/** When this tab was granted what it has waited for. */
export async function granted(what: string): Promise<number> {
  const time = await grants.get(what);
  grants.delete(what);
  return time ?? Number.NaN;
}
