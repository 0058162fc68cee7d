import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Authority } from "../../support/world/authority.js";
import { gate, saying } from "../runtime/tab.js";
import { emptyStorage } from "../stores/indexeddb.js";
import { KEY, openLosingBrowser } from "./losing-tab.js";
import { never } from "./tabs.js";

beforeEach(() => {
  emptyStorage();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

const lost = { code: "claim_lost" };
const unknown = { code: "outcome_unknown" };

/** A tool without a journal: only its owner knows that its handler has returned. */
function counting() {
  let effects = 0;
  const recover = saying({ recovered: false });
  return { tool: { recover, execute: () => ++effects }, effects: () => effects };
}

describe("a handler that goes on after its tab has lost the key", () => {
  it("can't remove the next owner's entry, so that the effect is not run twice", async () => {
    const { openTab, takeLock } = openLosingBrowser();
    const [tab, next] = [openTab(), openTab()];
    const authority = new Authority();
    const { recover, execute } = authority;
    const owner = await tab.enter({
      recover,
      async execute({ operation }) {
        await operation?.remove();
        throw new Error("The server refused.");
      },
    });
    await takeLock();
    await owner.lost();
    await next.hang({ recover: saying({ recovered: false, outcome: "not_applied" }), execute });
    owner.resume();
    await expect(owner.call).rejects.toMatchObject(lost);
    next.page.crash();
    expect(await openTab().call({ recover, execute })).toEqual({ receipt: "k 1" });
    expect(authority.effects(KEY)).toBe(1);
  });

  it("can't replace the next owner's entry, so that its correlation is found", async () => {
    const { openTab, takeLock } = openLosingBrowser();
    const [tab, next] = [openTab(), openTab()];
    const recover = saying({ recovered: false, outcome: "not_applied" });
    const owner = await tab.enter({ execute: ({ operation }) => operation?.write("first") });
    await takeLock();
    await owner.lost();
    await next.hang({ recover, execute: ({ operation }) => operation?.write("second") });
    owner.resume();
    await expect(owner.call).rejects.toMatchObject(lost);
    expect(await next.journal.read(KEY)).toBe("second");
  });
});

describe("a handler that has returned is known to have run, and is not run again", () => {
  it("although its tab had lost the key", async () => {
    const { openTab, takeLock } = openLosingBrowser();
    const { tool, effects } = counting();
    const owner = await openTab().enter(tool);
    await takeLock();
    await owner.lost();
    owner.resume();
    await expect(owner.call).rejects.toMatchObject(lost);
    await expect(openTab().call(tool)).rejects.toMatchObject(unknown);
    expect(effects()).toBe(1);
  });

  it("although neither its output nor its doubt could be stored at first", async () => {
    const { openTab } = openLosingBrowser();
    const { tool, effects } = counting();
    const owner = await openTab().enter(tool);
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    owner.resume();
    expect(await owner.call).toBe(1);
    full.mockRestore();
    await expect(openTab().call(tool)).rejects.toMatchObject(unknown);
    expect(effects()).toBe(1);
  });
});

describe("a tab that was cached while another completed its operation", () => {
  it("gets that output if the person approves before it learns of its loss", async () => {
    const { openTab, takeLock } = openLosingBrowser();
    const tab = openTab();
    const authority = new Authority();
    const [asked, answered] = [gate(), gate()];
    const request = async () => {
      asked.open();
      await answered.opened;
      return true;
    };
    const call = tab.call({ ...authority, confirm: { mode: "effect-only", request } });
    await asked.opened;
    tab.page.enterCache();
    await takeLock();
    const answer = await openTab().call(authority);
    answered.open();
    expect(await call).toEqual(answer);
    expect(authority.effects(KEY)).toBe(1);
  });

  it("does not undo that completion when its own handler fails", async () => {
    const { openTab, takeLock } = openLosingBrowser();
    const tab = openTab();
    const failed = new Error("The server can't be reached.");
    const owner = await tab.enter({
      execute() {
        throw failed;
      },
    });
    tab.page.enterCache();
    await takeLock();
    const recover = saying({ recovered: false, outcome: "not_applied" });
    const authority = new Authority();
    const answer = await openTab().call({ execute: authority.execute, recover });
    owner.resume();
    await expect(owner.call).rejects.toBe(failed);
    expect(await openTab().call(authority)).toEqual(answer);
    expect(authority.effects(KEY)).toBe(1);
  });
});

describe("a tab that loses the key's lock before its claim", () => {
  /** A tab whose database opens late, after it has the key's lock, and another that is ready to own the key. */
  async function late() {
    const { openTab, takeLock } = openLosingBrowser();
    const [tab, owner] = [openTab(), openTab()];
    // The owner's own database is open already.
    await owner.store.begin("warm", { signal: never() });
    await owner.store.release("warm", { signal: never() });
    return { tab, owner, takeLock, database: delayOpening() };
  }

  it("waits for the live owner, whose completion stands", async () => {
    const { tab, owner, takeLock, database } = await late();
    const waiting = gate();
    const begun = tab.store.begin(KEY, { signal: never(), onWait: waiting.open });
    await database.asked;
    await takeLock();
    await owner.store.begin(KEY, { signal: never() });
    database.open();
    await Promise.race([waiting.opened, begun]);
    await owner.store.complete(KEY, "done", { signal: never() });
    expect(await begun).toEqual({ state: "completed", value: "done" });
  });

  it("gets the owner's output, and the effect is not run twice", async () => {
    const { tab, owner, takeLock, database } = await late();
    const { tool, effects } = counting();
    const call = tab.call(tool);
    await database.asked;
    await takeLock();
    const working = await owner.enter(tool);
    database.open();
    working.resume();
    expect(await Promise.all([working.call, call])).toEqual([1, 1]);
    expect(effects()).toBe(1);
  });
});

/** The next database that is asked for opens only when the test lets it. */
function delayOpening() {
  const [asked, delayed] = [gate(), gate()];
  const reallyOpen = indexedDB.open.bind(indexedDB);
  vi.spyOn(indexedDB, "open").mockImplementationOnce((...database) => {
    asked.open();
    const request = reallyOpen(...database);
    const listen = request.addEventListener.bind(request);
    vi.spyOn(request, "addEventListener").mockImplementation((type, listener, options) => {
      const late = async (event: Event) => {
        await delayed.opened;
        if (typeof listener === "function") listener.call(request, event);
      };
      listen(type, late, options);
    });
    return request;
  });
  return { asked: asked.opened, open: delayed.open };
}
