import type { LockSpace } from "signett/testing";

/** Longer than any heartbeat that a lock manager in a page could go by: hidden pages' timers may run once a minute. */
const STILL_MS = 6_000;

/** Frames that compete for locks as tabs do. Removing a frame is the end of its tab. */
export function framesOf(page: string): LockSpace {
  const frames = new Map<LockManager, HTMLIFrameElement>();
  return {
    async open() {
      const frame = document.createElement("iframe");
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      frame.src = page;
      document.body.append(frame);
      await loaded;
      const locks = await locksOf(frame);
      frames.set(locks, frame);
      return locks;
    },
    crash: (locks) => frames.get(locks)?.remove(),
    async freeze(locks) {
      stopTimers(frames.get(locks)?.contentWindow);
      await new Promise((over) => setTimeout(over, STILL_MS));
    },
    close() {
      for (const frame of frames.values()) frame.remove();
      // What a package leaves in storage is not the next check's.
      localStorage.clear();
    },
  };
}

/** The frame's locks, once its script has run. */
async function locksOf({
  contentWindow,
  contentDocument,
}: HTMLIFrameElement): Promise<LockManager> {
  const root = contentDocument?.documentElement;
  if (!contentWindow || !root) throw new Error("The frame has no window.");
  while (!root.dataset.ready) await new Promise((resolve) => requestAnimationFrame(resolve));
  return ofWindow(contentWindow as Window & typeof globalThis);
}

/** A window's locks, which are given signals of that window only: packages look at their class. */
function ofWindow({ navigator, AbortController }: Window & typeof globalThis): LockManager {
  const { locks } = navigator;
  function request<T>(
    name: string,
    { signal, ...options }: LockOptions,
    callback: LockGrantedCallback<T>,
  ): Promise<Awaited<T>> {
    if (!signal) return locks.request(name, options, callback);
    const own = new AbortController();
    const abort = () => own.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    return locks.request(name, { ...options, signal: own.signal }, callback);
  }
  return {
    request: <T>(
      name: string,
      ...rest: [LockGrantedCallback<T>] | [LockOptions, LockGrantedCallback<T>]
    ) => (rest.length === 2 ? request(name, ...rest) : locks.request(name, rest[0])),
    query: () => locks.query(),
  };
}

function stopTimers(frame: Window | null | undefined): void {
  const last = frame?.setTimeout(() => {}) ?? 0;
  for (let id = 1; id <= last; id++) frame?.clearInterval(id);
}
