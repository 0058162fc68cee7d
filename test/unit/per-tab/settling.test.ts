import { deleteDB } from "idb";
import { beforeEach, describe, expect, it } from "vitest";
import { ClaimLostError } from "../../../src/errors.js";
import { emptyStorage } from "../stores/indexeddb.js";
import { never, openBrowser, owned, type StoreTab } from "./tabs.js";

beforeEach(emptyStorage);

type Settle = (tab: StoreTab, fence?: number) => Promise<void>;

const complete: Settle = ({ store }, fence) =>
  store.complete("order-1", "done", { signal: never(), fence });
const release: Settle = ({ store }, fence) => store.release("order-1", { signal: never(), fence });
const abandon: Settle = ({ store }, fence) => store.abandon("order-1", { signal: never(), fence });
const start: Settle = ({ store }, fence) => store.start("order-1", { signal: never(), fence });

/** Every way to end a claim, and every call that needs one. */
const ways: [string, Settle][] = Object.entries({ complete, release, abandon });
const everyWay: [string, Settle][] = [...ways, ["start", start]];

describe("a settled claim", () => {
  it("that was completed is replayed, whatever its output", async () => {
    const { openTab } = openBrowser();
    const tab = openTab();
    for (const [index, value] of [undefined, null, 0, "", { deep: [1] }].entries()) {
      await tab.ask(`key ${index}`).begun;
      await tab.store.complete(`key ${index}`, value, { signal: never() });
      expect(await openTab().ask(`key ${index}`).begun).toEqual({ state: "completed", value });
    }
  });

  it("that was released is free", async () => {
    const { openTab } = openBrowser();
    const tab = openTab();
    await tab.ask("order-1").begun;
    await release(tab);
    expect(await owned(openTab().ask("order-1").begun)).toEqual({ state: "fresh", fence: 2 });
  });

  it("that was abandoned is the next caller's to recover, with what its owner said", async () => {
    const { openTab } = openBrowser();
    const tab = openTab();
    await tab.ask("order-1", { journalKey: "shared entry" }).begun;
    await tab.store.abandon("order-1", { signal: never(), executed: true });
    expect(await owned(openTab().ask("order-1", { journalKey: "mine" }).begun)).toEqual({
      state: "in_flight",
      fence: 2,
      executed: true,
      journalKey: "shared entry",
    });
  });

  it("that recovery proved to be without effect goes on as fresh", async () => {
    const { openTab } = openBrowser();
    const [tab, next] = [openTab(), openTab()];
    await tab.ask("order-1", { journalKey: "old" }).begun;
    await tab.store.abandon("order-1", { signal: never(), executed: true });
    await tab.ask("order-1").begun;
    await tab.store.start("order-1", { signal: never(), fresh: true, journalKey: "new" });
    tab.crash();
    expect(await owned(next.ask("order-1").begun)).toEqual({
      state: "in_flight",
      fence: 3,
      executed: false,
      journalKey: "new",
    });
  });

  it.each(ways)("lets the next caller go on after %s", async (_way, settle) => {
    const { openTab } = openBrowser();
    const [tab, next] = [openTab(), openTab()];
    await tab.ask("order-1").begun;
    const waiting = next.ask("order-1");
    await waiting.waiting;
    await settle(tab);
    await waiting.begun;
  });
});

describe("who has no claim", () => {
  it.each(everyWay)("can't %s", async (_way, settle) => {
    const { openTab } = openBrowser();
    const [owner, stranger] = [openTab(), openTab()];
    await owner.ask("order-1").begun;
    await expect(settle(stranger)).rejects.toBeInstanceOf(ClaimLostError);
    await complete(owner);
  });

  it.each(everyWay)("any more can't %s", async (_way, settle) => {
    const tab = openBrowser().openTab();
    await tab.ask("order-1").begun;
    await release(tab);
    await expect(settle(tab)).rejects.toBeInstanceOf(ClaimLostError);
  });

  it.each(everyWay)("because it has another can't %s with the old fence", async (_way, settle) => {
    const { openTab } = openBrowser();
    const tab = openTab();
    await tab.ask("order-1").begun;
    await release(tab);
    await tab.ask("order-1").begun;
    await expect(settle(tab, 1)).rejects.toBeInstanceOf(ClaimLostError);
    await complete(tab, 2);
  });

  it.each(everyWay.filter(([way]) => way !== "release"))(
    "because the site's data was deleted can't %s, and keeps no lock",
    async (_way, settle) => {
      const { locks, openTab } = openBrowser();
      const tab = openTab();
      await tab.ask("order-1").begun;
      await deleteDB("signett-stores");
      await expect(settle(tab)).rejects.toBeInstanceOf(ClaimLostError);
      expect((await locks.query()).held).toEqual([]);
      expect(await owned(tab.ask("order-1").begun)).toEqual({ state: "fresh", fence: 1 });
    },
  );
});
