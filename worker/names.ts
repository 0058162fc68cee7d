/** The version of the messages between tab and worker. */
export const PROTOCOL = 1;

/** The library's version. Tabs of two builds can be open at once. */
export const BUILD = "0.1.0";

/** All names that one namespace takes in the browser's shared name spaces. Nothing personal belongs in a namespace. */
export interface Names {
  /** IndexedDB database. Without a build version, so that two deployed builds exclude each other. */
  readonly database: string;
  /** BroadcastChannel on which coordinators tell each other that a key was settled. */
  readonly channel: string;
  /** BroadcastChannel on which tabs tell each other of their calls, while somebody watches. */
  readonly activity: string;
  /** SharedWorker. Tabs that find the worker of one generation hanging meet at the next. */
  worker(generation: number): string;
  /** The Web Lock that marks a tab with open work alive. */
  client(id: string): string;
  /** The Web Lock that marks a tab alive for those who look at its calls. */
  tab(id: string): string;
  /** The Web Lock that coordinators share while they answer from memory, and that a purge takes alone. */
  readonly memory: string;
  /** The Web Lock that marks a worker alive. */
  instance(id: string): string;
}

/** Derives every name from the namespace. */
export function namesOf(namespace: string): Names {
  return {
    database: namespace,
    channel: namespace,
    activity: `${namespace}:activity`,
    memory: `${namespace}:memory`,
    worker: (generation) => `${namespace}:v${PROTOCOL}${generation === 1 ? "" : `:g${generation}`}`,
    client: (id) => `${namespace}:client:${id}`,
    tab: (id) => `${namespace}:tab:${id}`,
    instance: (id) => `${namespace}:worker:${id}`,
  };
}
