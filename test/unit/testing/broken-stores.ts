import type {
  BeginOptions,
  Begun,
  ClaimOptions,
  IdempotencyStore,
  StartOptions,
} from "../../../src/contracts.js";
import { MemoryIdempotencyStore, type StoreSpace } from "../../../src/testing/index.js";

/** What one tab's store does in place of the sound store's own. */
type TabFault = (
  sound: MemoryIdempotencyStore,
) => Partial<IdempotencyStore> & { crash?(): Promise<void> };

/** A fault of all stores in one space; called once a space. */
export type Fault = () => TabFault;

/** A space of stores that are sound but for one fault. */
export function broken(fault: Fault): () => StoreSpace {
  return () => {
    const first = new MemoryIdempotencyStore();
    const faultOf = fault();
    const crashes = new Map<IdempotencyStore, () => Promise<void> | void>();
    return {
      open() {
        const sound = first.anotherTab();
        const { crash = () => sound.crash(), ...faulty } = faultOf(sound);
        const store: IdempotencyStore = { ...methodsOf(sound), ...faulty };
        crashes.set(store, crash);
        return store;
      },
      crash: (store) => crashes.get(store)?.(),
    };
  };
}

/** The store's methods as plain functions. */
const methodsOf = (store: MemoryIdempotencyStore) => ({
  begin: (key: string, options: BeginOptions) => store.begin(key, options),
  start: (key: string, options: StartOptions) => store.start(key, options),
  complete: (key: string, value: unknown, options: ClaimOptions) =>
    store.complete(key, value, options),
  release: (key: string, options: ClaimOptions) => store.release(key, options),
  abandon: (key: string, options: ClaimOptions) => store.abandon(key, options),
});

/** A fault in what `begin` answers. */
const answering =
  (change: (begun: Begun) => Begun): Fault =>
  () =>
  (sound) => ({ begin: async (key, options) => change(await sound.begin(key, options)) });

export const neverWakes: Fault = () => (sound) => ({
  begin(key, { onWait, ...options }) {
    let waits = false;
    const begun = sound.begin(key, {
      ...options,
      onWait() {
        waits = true;
        onWait?.();
      },
    });
    return waits ? new Promise((_, reject) => begun.catch(reject)) : begun;
  },
});

export const ignoresAbort: Fault = () => (sound) => ({
  async begin(key, options) {
    options.signal.throwIfAborted();
    return await sound.begin(key, { ...options, signal: new AbortController().signal });
  },
});

export const losesUndefined: Fault = answering((begun) =>
  begun.state === "completed" ? { state: "completed", value: begun.value ?? null } : begun,
);

export const twoOwners: Fault = () => (sound) => ({
  begin: (key, options) =>
    new Promise((resolve, reject) => {
      const onWait = () => resolve({ state: "fresh", fence: Number.MAX_SAFE_INTEGER });
      sound.begin(key, { ...options, onWait }).then(resolve, reject);
    }),
});

export const hangsWithoutClaim: Fault = () => (sound) => ({
  release: (key, options) => sound.release(key, options).catch(() => new Promise(() => {})),
});

export const settlesWithoutClaim: Fault = () => (sound) => {
  const forgiving = (settled: Promise<void>, { fence }: ClaimOptions) =>
    settled.catch((error: unknown) => {
      if (fence !== undefined) throw error;
    });
  return {
    complete: (key, value, options) => forgiving(sound.complete(key, value, options), options),
    release: (key, options) => forgiving(sound.release(key, options), options),
    abandon: (key, options) => forgiving(sound.abandon(key, options), options),
  };
};

interface Owner {
  readonly sound: MemoryIdempotencyStore;
  readonly fence: number | undefined;
}

/** A fence settles whatever claim the key has now, the claim of another tab too. */
export const staleSettles: Fault = () => {
  const owners = new Map<string, Owner>();
  /** Whose claim is settled. */
  const taken = (key: string, options: ClaimOptions, caller: MemoryIdempotencyStore) => {
    const owner = owners.get(key);
    if (!owner || options.fence === undefined) return { store: caller, claim: options };
    owners.delete(key);
    return { store: owner.sound, claim: { ...options, fence: owner.fence } };
  };
  return (sound) => ({
    async begin(key, options) {
      const begun = await sound.begin(key, options);
      if (begun.state !== "completed") owners.set(key, { sound, fence: begun.fence });
      return begun;
    },
    complete(key, value, options) {
      const { store, claim } = taken(key, options, sound);
      return store.complete(key, value, claim);
    },
    release(key, options) {
      const { store, claim } = taken(key, options, sound);
      return store.release(key, claim);
    },
    abandon(key, options) {
      const { store, claim } = taken(key, options, sound);
      return store.abandon(key, claim);
    },
  });
};

/** A crash frees what it should leave in doubt. */
export const forgetsDoubt: Fault = () => (sound) => {
  const claims = new Map<string, ClaimOptions>();
  return {
    async begin(key, options) {
      const begun = await sound.begin(key, options);
      if (begun.state !== "completed") {
        claims.set(key, { signal: new AbortController().signal, fence: begun.fence });
      }
      return begun;
    },
    async crash() {
      for (const [key, claim] of claims) await sound.release(key, claim).catch(() => {});
      sound.crash();
    },
  };
};

export const keepsReservations: Fault = () => (sound) => ({
  begin: (key, options) => sound.begin(key, { ...options, reserve: false }),
});

export const forgetsExecuted: Fault = answering((begun) =>
  begun.state === "in_flight" ? { ...begun, executed: false } : begun,
);

export const forgetsJournalKey: Fault = answering((begun) =>
  begun.state === "in_flight" ? { ...begun, journalKey: null } : begun,
);

export const ignoresIntents: Fault = () => (sound) => ({
  begin: (key, { tool: _tool, fingerprint: _fingerprint, ...options }) => sound.begin(key, options),
});

export const claimsForAborted: Fault = () => (sound) => ({
  begin: (key, options) =>
    options.signal.aborted
      ? sound.begin(key, { ...options, signal: new AbortController().signal })
      : sound.begin(key, options),
});

export const saysAlwaysThatItWaits: Fault = () => (sound) => ({
  begin(key, { onWait, ...options }) {
    onWait?.();
    return sound.begin(key, options);
  },
});

/** A waiter that leaves is told so, and stays in the queue. */
export const keepsGhosts: Fault = () => (sound) => ({
  begin(key, options) {
    options.signal.throwIfAborted();
    const { signal } = new AbortController();
    return Promise.race([
      sound.begin(key, { ...options, signal }),
      new Promise<never>((_, reject) =>
        options.signal.addEventListener("abort", () => reject(options.signal.reason)),
      ),
    ]);
  },
});

export const forgetsOutputs: Fault = () => (sound) => ({
  complete: (key, _, options) => sound.release(key, options),
});

/** Rejects as it likes where the signal's reason is due. */
export const rewordsReasons: Fault = () => (sound) => ({
  begin: (key, options) =>
    sound.begin(key, options).catch((error: unknown) => {
      throw options.signal.aborted ? new Error("aborted") : error;
    }),
});

export const rewordsConflicts: Fault = () => (sound) => ({
  begin: (key, options) =>
    sound.begin(key, options).catch((error: unknown) => {
      throw options.signal.aborted ? error : new Error("conflict");
    }),
});

/** Fences that differ, and that tell nobody which is the later one. */
export const countsDown: Fault = () => (sound) => {
  const inner = <Options extends ClaimOptions>(options: Options): Options => ({
    ...options,
    fence: options.fence === undefined ? undefined : -options.fence,
  });
  return {
    async begin(key, options) {
      const begun = await sound.begin(key, options);
      return begun.state === "completed" ? begun : { ...begun, fence: -Number(begun.fence) };
    },
    start: (key, options) => sound.start(key, inner(options)),
    complete: (key, value, options) => sound.complete(key, value, inner(options)),
    release: (key, options) => sound.release(key, inner(options)),
    abandon: (key, options) => sound.abandon(key, inner(options)),
  };
};
