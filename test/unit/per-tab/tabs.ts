import type { BeginOptions, Begun } from "../../../src/contracts.js";
import { createTestLockManager } from "../../../src/testing/locks.js";
import { IndexedDbIdempotencyStore } from "../../../stores/index.js";

/** One tab of a browser: its own store over what all of them share. */
export interface StoreTab {
  readonly store: IndexedDbIdempotencyStore;
  /** Asks for a key as the runtime does. */
  ask(key: string, options?: Partial<BeginOptions>): Asked;
  /** The tab is gone without a word, and its locks with it. */
  crash(): void;
}

/** A call that has asked for a key. */
interface Asked {
  readonly begun: Promise<Begun>;
  /** Resolves when the call is told to wait. */
  readonly waiting: Promise<void>;
  /** How often it was told so. */
  notices(): number;
}

/** A browser profile: an empty IndexedDB is the test's to make. */
export function openBrowser() {
  const locks = createTestLockManager();
  const openTab = (name?: string): StoreTab => {
    const client = locks.client();
    const store = new IndexedDbIdempotencyStore({ locks: client, ...(name && { name }) });
    return {
      store,
      crash: () => client.crash(),
      ask(key, options = {}) {
        const notice = new EventTarget();
        let notices = 0;
        const onWait = () => {
          notices += 1;
          notice.dispatchEvent(new Event("wait"));
        };
        return {
          waiting: heard(notice, "wait"),
          notices: () => notices,
          begun: store.begin(key, { signal: never(), tool: "cancel_order", onWait, ...options }),
        };
      },
    };
  };
  return { locks, openTab };
}

/** Resolves with the first event of this type. */
export function heard(target: EventTarget, type: string): Promise<void> {
  return new Promise((resolve) => {
    target.addEventListener(type, () => resolve(), { once: true });
  });
}

/** A signal that nobody aborts. */
export const never = (): AbortSignal => new AbortController().signal;

/** What `begin` answers to an owner, without the signal, which has no value to compare. */
export async function owned(begun: Promise<Begun>): Promise<object> {
  const { lost: _lost, ...rest } = { lost: undefined, ...(await begun) };
  return rest;
}
