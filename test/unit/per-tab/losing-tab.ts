import { guard } from "../../../src/guard.js";
import { createTestLockManager } from "../../../src/testing/locks.js";
import { IndexedDbIdempotencyStore, IndexedDbOperationJournal } from "../../../stores/index.js";
import { DEFAULT_NAME, keyLock } from "../../../stores/per-tab/names.js";
import { TestPage } from "../../support/world/page.js";
import { TestPort } from "../../support/world/port.js";
import type { CallOptions } from "../../support/world/tab.js";
import { gate, never } from "../runtime/tab.js";
import { heard } from "./tabs.js";

/** The only key of these tests. */
export const KEY = "k";

type Tool = Pick<CallOptions, "execute" | "recover" | "confirm">;

/** A call that owns the key. */
interface Entered {
  readonly call: Promise<unknown>;
  /** Lets its handler go on. */
  readonly resume: () => void;
  /** Resolves when its tab knows that it has lost the key. */
  readonly lost: () => Promise<void>;
}

/** A tab with the real runtime over the stores that need no worker. */
class LosingTab {
  readonly page: TestPage;
  readonly store: IndexedDbIdempotencyStore;
  readonly journal = new IndexedDbOperationJournal();

  constructor(page: TestPage) {
    this.page = page;
    this.store = page.run(() => new IndexedDbIdempotencyStore({ locks: navigator.locks }));
  }

  /** Calls the tool. Its failure is for the test, which may look later. */
  call({ execute, ...parts }: Tool): Promise<unknown> {
    const call = guard((_, invocation) => execute(invocation), {
      name: "cancel_order",
      inputSchema: {},
      ...parts,
      idempotency: { key: () => KEY, store: this.store },
      journal: { store: this.journal },
    })({});
    call.catch(() => {});
    return call;
  }

  /** A call whose handler is entered, and held. */
  async enter({ execute, ...parts }: Tool): Promise<Entered> {
    const resumed = gate();
    let enter = (_: AbortSignal) => {};
    const entered = new Promise<AbortSignal>((resolve) => {
      enter = resolve;
    });
    const call = this.call({
      ...parts,
      async execute(invocation) {
        enter(invocation.signal);
        await resumed.opened;
        return execute(invocation);
      },
    });
    const signal = await entered;
    const lost = async () => {
      if (!signal.aborted) await heard(signal, "abort");
    };
    return { call, resume: resumed.open, lost };
  }

  /** A call whose handler does this, and then hangs. Resolves when it hangs. */
  async hang({ execute, ...parts }: Tool): Promise<void> {
    const done = gate();
    void this.call({
      ...parts,
      async execute(invocation) {
        await execute(invocation);
        done.open();
        return never();
      },
    });
    await done.opened;
  }
}

/** A browser profile whose tabs can lose their key. */
export function openLosingBrowser() {
  const locks = createTestLockManager();
  const browser = {
    join: () => new TestPort(() => 1),
    startInPage() {
      throw new Error("Nothing coordinates these tabs.");
    },
  };
  return {
    openTab: () => new LosingTab(new TestPage(locks.client(), browser)),
    /** The browser gives the key's lock to whoever asks for it, and tells its owner unless that one is cached. */
    takeLock: async (): Promise<void> => {
      await locks.request(keyLock(DEFAULT_NAME, KEY), { steal: true }, () => {});
    },
  };
}
