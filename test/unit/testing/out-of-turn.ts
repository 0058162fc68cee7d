import type { BeginOptions, Begun } from "../../../src/contracts.js";
import type { MemoryIdempotencyStore } from "../../../src/testing/index.js";
import type { Fault } from "./broken-stores.js";

interface Waiter {
  readonly sound: MemoryIdempotencyStore;
  /** Asks for the key again. */
  readonly ask: () => void;
}

/** Whoever came last is served first. */
export const servesLastFirst: Fault = () => {
  const stacks = new Map<string, Waiter[]>();
  const park = (
    sound: MemoryIdempotencyStore,
    key: string,
    options: BeginOptions,
  ): Promise<Begun> =>
    new Promise((resolve, reject) => {
      const { signal, onWait: _, ...rest } = options;
      const leave = () => {
        stacks.set(
          key,
          (stacks.get(key) ?? []).filter((other) => other !== waiter),
        );
        reject(signal.reason);
      };
      const ask = () => {
        signal.removeEventListener("abort", leave);
        resolve(sound.begin(key, { signal, ...rest }));
      };
      const waiter = { sound, ask };
      stacks.set(key, [...(stacks.get(key) ?? []), waiter]);
      signal.addEventListener("abort", leave, { once: true });
      options.onWait?.();
    });
  const serveLast = (key: string) => stacks.get(key)?.pop()?.ask();

  return (sound) => ({
    begin(key, options) {
      const trial = new AbortController();
      let waits = false;
      const onWait = () => {
        waits = true;
      };
      const signal = AbortSignal.any([trial.signal, options.signal]);
      const begun = sound.begin(key, { ...options, signal, onWait });
      if (!waits) return begun;
      begun.catch(() => {});
      trial.abort();
      return park(sound, key, options);
    },
    async complete(key, value, options) {
      await sound.complete(key, value, options);
      while (stacks.get(key)?.length) serveLast(key);
    },
    async release(key, options) {
      await sound.release(key, options);
      serveLast(key);
    },
    async abandon(key, options) {
      await sound.abandon(key, options);
      serveLast(key);
    },
    async crash() {
      sound.crash();
      for (const [key, waiters] of stacks) {
        stacks.set(
          key,
          waiters.filter((waiter) => waiter.sound !== sound),
        );
        serveLast(key);
      }
    },
  });
};
