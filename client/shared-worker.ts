import { type Line, NotStarted } from "./line.js";

/** Starts the worker, or joins the one that runs. @throws {NotStarted} if it can't be made. */
export function sharedWorkerLine(make: () => SharedWorker): Line {
  const { worker, url } = create(make);
  const subject = url === undefined ? "the worker" : `the worker ${url}`;
  const ended = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener(
      "error",
      (event) => {
        // A script that is missing, blocked or no JavaScript gives a bare event without a message.
        const reason =
          (event instanceof ErrorEvent && event.message) ||
          "its script is missing, blocked by a policy, or not a JavaScript module";
        reject(new NotStarted(`${subject} did not start: ${reason}`, { cause: event }));
      },
      { signal: ended.signal },
    );
  });
  failed.catch(() => {});
  const close = () => {
    ended.abort();
    worker.port.close();
  };
  return { port: worker.port, failed, inPage: false, close };
}

/** The worker, and the URL that it was made with. */
function create(make: () => SharedWorker): { worker: SharedWorker; url: string | undefined } {
  const noted: { url?: string } = {};
  try {
    const worker = noting((url) => Object.assign(noted, { url }), make);
    return { worker, url: noted.url };
  } catch (cause) {
    const subject = noted.url === undefined ? "the worker" : `the worker ${noted.url}`;
    const reason = cause instanceof Error ? cause.message : "it could not be created";
    throw new NotStarted(`${subject} did not start: ${reason}`, { cause });
  }
}

/**
 * Learns the URL of the worker that `make` makes. A `SharedWorker` does not tell its URL, and bundlers rewrite the
 * default one only inside of `new SharedWorker(…)`: so the constructor tells it, for the time of this one call.
 */
function noting<T>(found: (url: string) => void, make: () => T): T {
  const scope: { SharedWorker?: typeof SharedWorker } = globalThis;
  const native = scope.SharedWorker;
  if (!native) return make();
  scope.SharedWorker = new Proxy(native, {
    construct(target, args, newTarget) {
      found(String(args[0]));
      return Reflect.construct(target, args, newTarget);
    },
  });
  try {
    return make();
  } finally {
    scope.SharedWorker = native;
  }
}
