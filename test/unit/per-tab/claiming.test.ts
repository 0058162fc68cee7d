import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IdempotencyConflictError } from "../../../src/errors.js";
import { emptyStorage, watchTransactions } from "../stores/indexeddb.js";
import { never, openBrowser, owned } from "./tabs.js";

beforeEach(emptyStorage);
afterEach(() => {
  vi.restoreAllMocks();
});

/** A caller's signal that aborts when the caller's transaction has begun. */
function leavingInTransaction(): AbortSignal {
  const leaving = new AbortController();
  const begin = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(function (
    this: IDBDatabase,
    ...asked
  ) {
    leaving.abort("gone");
    return begin.apply(this, asked);
  });
  return leaving.signal;
}

describe("a free key", () => {
  it("is one caller's, and the others of every tab get that caller's answer", async () => {
    const { openTab } = openBrowser();
    const tabs = [openTab(), openTab(), openTab(), openTab()];
    const asked = tabs.map((tab) => ({ tab, ...tab.ask("order-1") }));
    const first = await Promise.race(
      asked.map(async ({ tab, begun }) => ({ tab, ...(await begun) })),
    );
    expect(first.state).toBe("fresh");
    await first.tab.store.complete("order-1", { receipt: 1 }, { signal: never() });
    const answers = await Promise.all(asked.map(({ begun }) => begun));
    const others = answers.filter(({ state }) => state !== "fresh");
    expect(others).toEqual(Array(3).fill({ state: "completed", value: { receipt: 1 } }));
  });

  it("is given at once, and its caller is not told to wait", async () => {
    const { begun, notices } = openBrowser().openTab().ask("order-1");
    expect(await owned(begun)).toEqual({ state: "fresh", fence: 1 });
    expect(notices()).toBe(0);
  });

  it("does not wait for other keys", async () => {
    const tab = openBrowser().openTab();
    expect(await owned(tab.ask("order-1").begun)).toEqual({ state: "fresh", fence: 1 });
    expect(await owned(tab.ask("order-2").begun)).toEqual({ state: "fresh", fence: 2 });
  });

  it.each(["", "-", "key:key", "\u{1F600}\uD800", "k".repeat(1_024)])(
    "may have any text: %j",
    async (key) => {
      const { openTab } = openBrowser();
      const tab = openTab();
      await tab.ask(key).begun;
      await tab.store.complete(key, "done", { signal: never() });
      expect(await openTab().ask(key).begun).toEqual({ state: "completed", value: "done" });
    },
  );

  it("names no lock with its own text, which may be personal", async () => {
    const { locks, openTab } = openBrowser();
    await openTab().ask("ada@example.com").begun;
    const { held } = await locks.query();
    expect(held?.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^signett-stores:key:[0-9a-f]{16}$/),
    ]);
  });

  it("is durably claimed before its handler can be entered, and durably settled", async () => {
    const tab = openBrowser().openTab();
    await tab.ask("order-0").begun;
    const seen = watchTransactions();
    await tab.ask("order-1").begun;
    await tab.store.complete("order-1", "done", { signal: never() });
    await tab.ask("order-2", { reserve: true }).begun;
    await tab.store.start("order-2", { signal: never() });
    await tab.store.release("order-2", { signal: never() });
    expect(seen.durabilities).toEqual(Array(5).fill("strict"));
  });

  it("of one store's name is not another's", async () => {
    const { openTab } = openBrowser();
    await openTab("shop").ask("order-1").begun;
    expect(await owned(openTab("bank").ask("order-1").begun)).toEqual({ state: "fresh", fence: 1 });
  });
});

describe("a caller that waits", () => {
  it("is told so once, and gets the key in its turn", async () => {
    const { openTab } = openBrowser();
    const [owner, second, third] = [openTab(), openTab(), openTab()];
    await owner.ask("order-1").begun;
    const next = second.ask("order-1");
    await next.waiting;
    const last = third.ask("order-1");
    await last.waiting;
    await owner.store.release("order-1", { signal: never() });
    expect(await owned(next.begun)).toEqual({ state: "fresh", fence: 2 });
    await second.store.release("order-1", { signal: never() });
    expect(await owned(last.begun)).toEqual({ state: "fresh", fence: 3 });
    expect([next.notices(), last.notices()]).toEqual([1, 1]);
  });

  it("asked earlier than others of its tab is served before them", async () => {
    const tab = openBrowser().openTab();
    await tab.ask("order-1").begun;
    const asked = Array.from({ length: 5 }, () => tab.ask("order-1").begun);
    const served: number[] = [];
    asked.forEach((begun, index) => void begun.then(() => served.push(index)));
    for (const begun of asked) {
      await tab.store.release("order-1", { signal: never() });
      await begun;
    }
    expect(served).toEqual([0, 1, 2, 3, 4]);
  });

  it("leaves with its own reason, and disturbs nobody", async () => {
    const { locks, openTab } = openBrowser();
    const [owner, impatient, patient] = [openTab(), openTab(), openTab()];
    await owner.ask("order-1").begun;
    const leaving = new AbortController();
    const left = impatient.ask("order-1", { signal: leaving.signal });
    await left.waiting;
    const waited = patient.ask("order-1");
    await waited.waiting;
    const reason = new DOMException("enough", "AbortError");
    leaving.abort(reason);
    await expect(left.begun).rejects.toBe(reason);
    expect((await locks.query()).pending).toHaveLength(1);
    await owner.store.complete("order-1", "done", { signal: never() });
    expect(await waited.begun).toEqual({ state: "completed", value: "done" });
  });

  it("waits for its own tab too", async () => {
    const tab = openBrowser().openTab();
    await tab.ask("order-1").begun;
    const again = tab.ask("order-1");
    await again.waiting;
    await tab.store.complete("order-1", undefined, { signal: never() });
    expect(await again.begun).toEqual({ state: "completed", value: undefined });
  });
});

describe("a caller that leaves", () => {
  it("before it asked gets no key", async () => {
    const { locks, openTab } = openBrowser();
    const { begun } = openTab().ask("order-1", { signal: AbortSignal.abort("gone") });
    await expect(begun).rejects.toBe("gone");
    expect((await locks.query()).held).toEqual([]);
  });

  it("before it is told to wait is not told, and waits for nothing", async () => {
    const { locks, openTab } = openBrowser();
    const [owner, hasty] = [openTab(), openTab()];
    await owner.ask("order-1").begun;
    const { begun, notices } = hasty.ask("order-1", { signal: leavingInTransaction() });
    await expect(begun).rejects.toBe("gone");
    await owner.store.complete("order-1", "done", { signal: never() });
    await hasty.ask("order-1").begun;
    expect(notices()).toBe(0);
    expect(await locks.query()).toEqual({ held: [], pending: [] });
  });

  it("while the record is decided gives the key back", async () => {
    const { openTab } = openBrowser();
    const [hasty, next] = [openTab(), openTab()];
    const { begun } = hasty.ask("order-1", { signal: leavingInTransaction() });
    await expect(begun).rejects.toBe("gone");
    expect(await owned(next.ask("order-1").begun)).toEqual({ state: "fresh", fence: 2 });
  });

  it("while a takeover is decided leaves the operation in doubt", async () => {
    const { openTab } = openBrowser();
    const [dead, hasty, next] = [openTab(), openTab(), openTab()];
    await dead.ask("order-1").begun;
    dead.crash();
    const { begun } = hasty.ask("order-1", { signal: leavingInTransaction() });
    await expect(begun).rejects.toBe("gone");
    expect(await owned(next.ask("order-1").begun)).toMatchObject({ state: "in_flight", fence: 3 });
  });
});

describe("a key of another intent", () => {
  const others = [
    ["tool", { tool: "refund_order" }],
    ["fingerprint", { fingerprint: "other" }],
  ] as const;

  it.each(others)("is refused for its %s while its owner lives", async (reason, differing) => {
    const { openTab } = openBrowser();
    const [owner, other] = [openTab(), openTab()];
    await owner.ask("order-1").begun;
    const refused = other.ask("order-1", differing);
    await expect(refused.begun).rejects.toBeInstanceOf(IdempotencyConflictError);
    await expect(refused.begun).rejects.toMatchObject({ reason });
    expect(refused.notices()).toBe(0);
    await owner.store.complete("order-1", "done", { signal: never() });
  });

  it.each(others)("is refused for its %s when it is completed", async (reason, differing) => {
    const { openTab } = openBrowser();
    const [owner, other] = [openTab(), openTab()];
    await owner.ask("order-1").begun;
    await owner.store.complete("order-1", "done", { signal: never() });
    const refused = other.ask("order-1", differing).begun;
    await expect(refused).rejects.toBeInstanceOf(IdempotencyConflictError);
    await expect(refused).rejects.toMatchObject({ reason });
    expect(await other.ask("order-1").begun).toEqual({ state: "completed", value: "done" });
  });
});
