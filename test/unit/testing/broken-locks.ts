import {
  createTestLockManager,
  type LockSpace,
  type TestLockClient,
  type TestLockManager,
} from "../../../src/testing/index.js";

export type Callback = LockGrantedCallback<unknown>;
type Ask = (name: string, options: LockOptions, callback: Callback) => Promise<unknown>;

/** What one client does in place of the sound one. */
interface Faulty {
  ask?: Ask;
  query?(): Promise<LockManagerSnapshot>;
  crash?(): void;
  freeze?(): void;
}

/** A fault of all clients in one space; called once a space. */
export type LockFault = (locks: TestLockManager) => (sound: Sound) => Faulty;

/** A client without a fault. */
interface Sound {
  readonly ask: Ask;
  readonly client: TestLockClient;
}

type BrokenClient = LockManager & Required<Pick<Faulty, "crash" | "freeze">>;

/** A space of lock managers that are sound but for one fault. */
export function brokenLocks(fault: LockFault): () => LockSpace<BrokenClient> {
  return () => {
    const faultOf = fault(createTestLockManager());
    const locks = createTestLockManager();
    return {
      open: () => brokenClient(locks.client(), faultOf),
      crash: (client) => client.crash(),
      freeze: (client) => client.freeze(),
    };
  };
}

function brokenClient(client: TestLockClient, faultOf: ReturnType<LockFault>): BrokenClient {
  const sound: Ask = (name, options, callback) => client.request(name, options, callback);
  const {
    ask = sound,
    query = () => client.query(),
    crash = () => client.crash(),
    freeze = () => {},
  } = faultOf({ ask: sound, client });
  function request(name: string, ...rest: [Callback] | [LockOptions, Callback]) {
    const [options, callback] = rest.length === 2 ? rest : [{}, rest[0]];
    return ask(name, options, callback);
  }
  return { request: request as LockManager["request"], query, crash, freeze };
}

/** A fault in how a client asks. */
const asking =
  (change: (sound: Ask) => Ask): LockFault =>
  () =>
  ({ ask }) => ({ ask: change(ask) });

const forever = () => new Promise<never>(() => {});

export const sound: LockFault = () => () => ({});

export const hidesModes = asking(
  (ask) => (name, options, callback) =>
    ask(name, options, (lock) => callback(lock && { ...lock, mode: "exclusive" })),
);

export const losesValues = asking(
  (ask) =>
    async (...request) =>
      void (await ask(...request)),
);

export const callsAtOnce: LockFault = () => {
  const used = new Set<string>();
  return ({ ask }) => ({
    ask(name, options, callback) {
      if (used.has(name)) return ask(name, options, callback);
      used.add(name);
      const called = (async () => await callback({ name, mode: options.mode ?? "exclusive" }))();
      return ask(name, options, () => called);
    },
  });
};

export const keepsAfterErrors = asking(
  (ask) => (name, options, callback) =>
    new Promise((resolve, reject) => {
      ask(name, options, async (lock) => {
        try {
          return await callback(lock);
        } catch (error) {
          reject(error);
          return forever();
        }
      }).then(resolve, reject);
    }),
);

export const foldsNames = asking(
  (ask) => (name, options, callback) => ask(name.normalize(), options, callback),
);

export const sharesNothing = asking(
  (ask) => (name, options, callback) =>
    ask(name, { ...options, mode: "exclusive" }, (lock) =>
      callback(lock && { ...lock, mode: options.mode ?? "exclusive" }),
    ),
);

export const findsNothing = asking(
  (ask) => (name, options, callback) =>
    options.ifAvailable ? Promise.resolve(callback(null)) : ask(name, options, callback),
);

export const waitsAnyway = asking(
  (ask) => (name, options, callback) => ask(name, { ...options, ifAvailable: false }, callback),
);

export const looksAtHoldersOnly: LockFault =
  () =>
  ({ ask, client }) => ({
    async ask(name, options, callback) {
      if (!options.ifAvailable) return await ask(name, options, callback);
      const { held = [] } = await client.query();
      const free = held.every(
        (lock) => lock.name !== name || (lock.mode === "shared" && options.mode === "shared"),
      );
      return await callback(free ? { name, mode: options.mode ?? "exclusive" } : null);
    },
  });

export const ignoresSignals = asking(
  (ask) =>
    (name, { signal: _signal, ...options }, callback) =>
      ask(name, options, callback),
);

export const rewordsReasons = asking(
  (ask) => (name, options, callback) =>
    ask(name, options, callback).catch((error: unknown) => {
      throw options.signal?.aborted ? new Error("aborted") : error;
    }),
);

/** Who leaves is told so, and stays in the queue for ever. */
export const keepsGhosts = asking((ask) => (name, { signal, ...options }, callback) => {
  if (!signal) return ask(name, options, callback);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let granted = false;
    signal.addEventListener("abort", () => granted || reject(signal.reason));
    ask(name, options, (lock) => {
      granted = !signal.aborted;
      return granted ? callback(lock) : forever();
    }).then(resolve, reject);
  });
});

export const abortsHolders = asking((ask) => (name, options, callback) => {
  const { signal } = options;
  if (!signal) return ask(name, options, callback);
  const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
  return ask(name, options, (lock) => Promise.race([callback(lock), aborted]));
});

export const hidesWaiters: LockFault =
  () =>
  ({ client }) => ({
    query: async () => ({ ...(await client.query()), pending: [] }),
  });

export const outlivesHolders: LockFault = () => () => ({ crash() {} });

/** What a dead client holds is free; what it waits for is still granted to it. */
export const servesTheDead: LockFault =
  () =>
  ({ ask }) => {
    let die = () => {};
    let dead = false;
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    return {
      ask: (name, options, callback) =>
        ask(name, options, (lock) => (dead ? forever() : Promise.race([callback(lock), died]))),
      crash() {
        dead = true;
        die();
      },
    };
  };

export const losesPatience: LockFault =
  () =>
  ({ client }) => ({ freeze: () => client.crash() });
