import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BeginOptions } from "../../../src/contracts.js";
import { ClaimLostError, IdempotencyConflictError } from "../../../src/errors.js";
import { emptyStorage } from "../stores/indexeddb.js";
import { heard, never, openBrowser, owned } from "./tabs.js";

beforeEach(emptyStorage);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("an owner's tab that dies", () => {
  it("after the start leaves doubt to whoever waits, and where its entry may be", async () => {
    const { openTab } = openBrowser();
    const [owner, waiter] = [openTab(), openTab()];
    await owner.ask("order-1", { journalKey: "shared entry" }).begun;
    const { begun, waiting } = waiter.ask("order-1");
    await waiting;
    owner.crash();
    expect(await owned(begun)).toEqual({
      state: "in_flight",
      fence: 2,
      executed: false,
      journalKey: "shared entry",
    });
  });

  it("says that it shared no entry, if it did not", async () => {
    const { openTab } = openBrowser();
    const owner = openTab();
    await owner.ask("order-1").begun;
    owner.crash();
    const { begun } = openTab().ask("order-1", { journalKey: "mine" });
    expect(await owned(begun)).toMatchObject({ state: "in_flight", journalKey: null });
  });

  it("before the start leaves the key free, for another intent too", async () => {
    const { openTab } = openBrowser();
    const owner = openTab();
    await owner.ask("order-1", { reserve: true }).begun;
    owner.crash();
    const { begun } = openTab().ask("order-1", { tool: "refund_order" });
    expect(await owned(begun)).toEqual({ state: "fresh", fence: 2 });
  });

  it("leaves its doubt to no other intent", async () => {
    const { openTab } = openBrowser();
    const [owner, other] = [openTab(), openTab()];
    await owner.ask("order-1").begun;
    owner.crash();
    const refused = other.ask("order-1", { tool: "refund_order" }).begun;
    await expect(refused).rejects.toBeInstanceOf(IdempotencyConflictError);
    expect(await owned(other.ask("order-1").begun)).toMatchObject({ state: "in_flight", fence: 2 });
  });

  it("in a takeover leaves doubt again, with all that was known", async () => {
    const { openTab } = openBrowser();
    const [owner, heir] = [openTab(), openTab()];
    await owner.ask("order-1", { journalKey: "first" }).begun;
    await owner.store.abandon("order-1", { signal: never(), executed: true });
    await heir.ask("order-1", { journalKey: "second" }).begun;
    heir.crash();
    expect(await owned(openTab().ask("order-1").begun)).toEqual({
      state: "in_flight",
      fence: 3,
      executed: true,
      journalKey: "first",
    });
  });
});

/** The ways in which a tab learns that it was taken for dead. */
const losses = {
  "somebody steals its lock": async (locks: LockManager) => {
    const { held } = await locks.query();
    for (const { name = "" } of held ?? []) {
      await locks.request(name, { steal: true }, () => {});
    }
  },
  "it returns from the back/forward cache": async () => {
    dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  },
};

/** Node has no window. */
function stubWindow(): void {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("dispatchEvent", window.dispatchEvent.bind(window));
}

describe.each(Object.entries(losses))("a tab that is taken for dead because %s", (_how, lose) => {
  async function lost(options: Partial<BeginOptions> = {}) {
    stubWindow();
    const { locks, openTab } = openBrowser();
    const [tab, other] = [openTab(), openTab()];
    const begun = await tab.ask("order-1", options).begun;
    if (begun.state !== "fresh" || !begun.lost) throw new Error("The key was not free.");
    const aborted = heard(begun.lost, "abort");
    const { held } = await locks.query();
    await lose(locks);
    await aborted;
    // The lock is free.
    await locks.request(held?.[0]?.name ?? "", () => {});
    return { tab, other, signal: begun.lost };
  }

  it("hears of it", async () => {
    expect((await lost()).signal.reason).toBeInstanceOf(ClaimLostError);
  });

  it.each(["start", "complete", "release", "abandon"] as const)("can't %s", async (method) => {
    const { tab, other } = await lost();
    const options = { signal: never() };
    const settled =
      method === "complete"
        ? tab.store.complete("order-1", "mine", options)
        : tab.store[method]("order-1", options);
    const error: unknown = await settled.catch((reason) => reason);
    expect(error).toBeInstanceOf(ClaimLostError);
    expect(error).toMatchObject({ completed: undefined });
    expect(await owned(other.ask("order-1").begun)).toMatchObject({ state: "in_flight", fence: 2 });
  });

  it("is given what another owner has completed since", async () => {
    const { tab, other } = await lost();
    await other.ask("order-1").begun;
    await other.store.complete("order-1", "theirs", { signal: never() });
    await expect(
      tab.store.complete("order-1", "mine", { signal: never(), fence: 1 }),
    ).rejects.toMatchObject({ code: "claim_lost", completed: { value: "theirs" } });
  });

  it("is not given what an owner with another intent has completed since", async () => {
    const { tab, other } = await lost({ reserve: true });
    await other.ask("order-1", { fingerprint: "other" }).begun;
    await other.store.complete("order-1", "theirs", { signal: never() });
    await expect(
      tab.store.complete("order-1", "mine", { signal: never(), fence: 1 }),
    ).rejects.toMatchObject({ code: "claim_lost", completed: undefined });
  });

  it("is told so even if storage fails", async () => {
    const { tab } = await lost();
    vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const settled = tab.store.complete("order-1", "mine", { signal: never() });
    await expect(settled).rejects.toBeInstanceOf(ClaimLostError);
  });
});

it("a page whose calls are settled listens to nothing", async () => {
  stubWindow();
  const listening = new Set<unknown>();
  const [add, remove] = [globalThis.addEventListener, globalThis.removeEventListener];
  vi.stubGlobal("addEventListener", (type: string, listener: () => void) => {
    listening.add(listener);
    add(type, listener);
  });
  vi.stubGlobal("removeEventListener", (type: string, listener: () => void) => {
    listening.delete(listener);
    remove(type, listener);
  });
  const tab = openBrowser().openTab();
  await tab.ask("order-1").begun;
  expect(listening.size).toBe(1);
  await tab.store.complete("order-1", "done", { signal: never() });
  await tab.ask("order-1").begun;
  expect(listening.size).toBe(0);
});

it("a page that is shown for the first time has lost nothing", async () => {
  stubWindow();
  const { openTab } = openBrowser();
  const tab = openTab();
  await tab.ask("order-1").begun;
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  await tab.store.complete("order-1", "done", { signal: never() });
});
