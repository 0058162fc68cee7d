import { createTestLockManager } from "../../../src/testing/index.js";
import type { Callback, LockFault } from "./broken-locks.js";

/** Each client has locks of its own. */
export const excludesNobody: LockFault = () => () => {
  const own = createTestLockManager();
  return { ask: (name, options, callback) => own.request(name, options, callback) };
};

/** Until the first grant of a name, nobody hears of the others' requests for it. */
export const learnsLate: LockFault = () => {
  const known = new Set<string>();
  const first = new Map<string, LockManager>();
  return ({ ask, client }) => ({
    ask(name, options, callback) {
      const alone = !known.has(name) && first.has(name) && first.get(name) !== client;
      if (alone) return createTestLockManager().request(name, options, callback);
      first.set(name, client);
      return ask(name, options, (lock) => {
        known.add(name);
        return callback(lock);
      });
    },
  });
};

/** A client that opens while a lock is held does not hear of it. */
export const forgetsTheOld: LockFault = () => {
  let held = 0;
  return ({ ask }) => {
    const own = held > 0 ? createTestLockManager() : undefined;
    return {
      ask: (name, options, callback) => {
        const counted: Callback = async (lock) => {
          held += 1;
          try {
            return await callback(lock);
          } finally {
            held -= 1;
          }
        };
        return own ? own.request(name, options, counted) : ask(name, options, counted);
      },
    };
  };
};

/** Exclusive requests that wait for an exclusive holder are served last come, first served. */
export const servesLastFirst: LockFault = () => {
  const stacks = new Map<string, (() => void)[]>();
  const serveNext = (name: string) => {
    const next = stacks.get(name)?.pop();
    if (next) next();
    else stacks.delete(name);
  };
  return ({ ask, client }) => {
    const mine = new Set<string>();
    return {
      async ask(name, options, callback) {
        const { mode, ifAvailable, signal } = options;
        if (mode === "shared" || ifAvailable) return await ask(name, options, callback);
        signal?.throwIfAborted();
        const stack = stacks.get(name);
        if (stack) {
          await new Promise<void>((resolve, reject) => {
            stack.push(resolve);
            signal?.addEventListener("abort", () => {
              stack.splice(stack.indexOf(resolve), 1);
              reject(signal.reason);
            });
          });
        }
        stacks.set(name, stack ?? []);
        mine.add(name);
        try {
          return await ask(name, options, callback);
        } finally {
          mine.delete(name);
          serveNext(name);
        }
      },
      crash() {
        client.crash();
        for (const name of mine) serveNext(name);
      },
    };
  };
};

/** Only the first of those who share a lock really holds it. */
export const countsOneSharer: LockFault = () => {
  const sharers = new Map<string, number>();
  return ({ ask }) => ({
    ask(name, options, callback) {
      if (options.mode !== "shared") return ask(name, options, callback);
      return new Promise((resolve, reject) => {
        ask(name, options, async (lock) => {
          const count = sharers.get(name) ?? 0;
          sharers.set(name, count + 1);
          const called = (async () => await callback(lock))();
          called.finally(() => sharers.set(name, (sharers.get(name) ?? 1) - 1));
          called.then(resolve, reject);
          if (count === 0) await called;
        }).catch(reject);
      });
    },
  });
};

/** A shared request joins those that share the lock, past whoever waits. */
export const overtakes: LockFault = () => {
  const groups = new Map<string, { count: number; done: () => void }>();
  const leave = (name: string) => {
    const group = groups.get(name);
    if (!group) return;
    group.count -= 1;
    if (group.count > 0) return;
    groups.delete(name);
    group.done();
  };
  return ({ ask, client }) => ({
    async ask(name, options, callback) {
      if (options.mode !== "shared" || options.ifAvailable) return ask(name, options, callback);
      const group = groups.get(name);
      if (group) group.count += 1;
      else {
        await new Promise<void>((joined) => {
          client.request(name, options, () => {
            joined();
            return new Promise<void>((done) => groups.set(name, { count: 1, done }));
          });
        });
      }
      try {
        return await callback({ name, mode: "shared" });
      } finally {
        leave(name);
      }
    },
    // The group would outlive its first member.
    crash() {
      for (const name of [...groups.keys()]) leave(name);
      client.crash();
    },
  });
};

/** Shared and exclusive locks of one name are two locks. */
export const modesApart: LockFault =
  (others) =>
  ({ ask, client }) => {
    const own = others.client();
    return {
      ask: (name, options, callback) =>
        options.mode === "shared" && !options.ifAvailable
          ? own.request(name, options, callback)
          : ask(name, options, callback),
      async query() {
        const [one, two] = [await client.query(), await own.query()];
        return { held: [...(one.held ?? []), ...(two.held ?? [])], pending: one.pending ?? [] };
      },
      crash() {
        own.crash();
        client.crash();
      },
    };
  };
