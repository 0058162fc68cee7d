/** A promise's result, unless the signal aborts first: then its reason. What the promise does later is ignored. */
export async function unlessAborted<T>(
  signal: AbortSignal,
  work: () => Promise<T> | T,
): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  // `work` may abort the signal and throw before anybody listens.
  aborted.catch(() => {});
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A signal that nobody aborts. */
export const unaborted = (): AbortSignal => new AbortController().signal;
