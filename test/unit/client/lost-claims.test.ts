import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Invocation } from "../../support/world/authority.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, never } from "../runtime/tab.js";
import { ask, enter, sharedJournal } from "./calls.js";

let world: World;
let tab: TestTab;
let other: TestTab;

beforeEach(() => {
  stopTime();
  vi.spyOn(console, "warn").mockReturnValue();
  world = new World();
  tab = world.tab();
  other = world.tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lost = { name: "ClaimLostError", code: "claim_lost" };

/** A tab without open work holds no lock and waits for none: the browser can cache it. */
async function isIdle(): Promise<void> {
  expect(await world.signsOfLife(tab)).toEqual([]);
  expect(await world.pendingLocks(tab)).toEqual([]);
}

describe.each<[string, () => Promise<void> | void]>([
  ["whose lock was stolen", () => world.takeLocks(tab)],
  ["that comes back from the cache", () => tab.page.leaveCache()],
])("a tab %s", (_, lose) => {
  it("has its handler's signal aborted, so that it stops before it does harm", async () => {
    const { call, resume } = await enter(tab, "k", {
      execute({ operation, signal }) {
        signal.throwIfAborted();
        return world.authority.execute({ operation, signal });
      },
    });
    await lose();
    resume();
    await expect(call).rejects.toMatchObject(lost);
    expect(world.authority.effects("k")).toBe(0);
    await isIdle();
  });

  it("does not enter its handler, whatever the person answers", async () => {
    const { call, resume } = await ask(tab, "k", world.authority);
    await lose();
    resume();
    await expect(call).rejects.toMatchObject(lost);
    expect(world.authority.effects("k")).toBe(0);
    await isIdle();
  });

  it("asks again under another lock if its claim was on its way", async () => {
    world.storage.committed = () => {
      world.storage.committed = () => {};
      void lose();
    };
    expect(await inTime(tab.call("k", world.authority))).toEqual({ receipt: "k 1" });
    expect(world.authority.effects("k")).toBe(1);
    await isIdle();
  });

  it("can't write to a journal that may be somebody else's now", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    await lose();
    resume();
    await expect(call).rejects.toMatchObject(lost);
    expect(world.authority.effects("k")).toBe(0);
    await isIdle();
  });

  it("says that its handler has returned, so that nobody runs the effect again", async () => {
    let effects = 0;
    const tool = { recover: world.authority.recover, execute: () => ++effects };
    const { call, resume } = await enter(tab, "k", tool);
    await lose();
    resume();
    await expect(call).rejects.toMatchObject(lost);
    await expect(other.call("k", tool)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(effects).toBe(1);
    await isIdle();
  });
});

describe("a tab that comes back from the cache, after another was given its lock", () => {
  it("gets the output that was completed meanwhile, instead of an error", async () => {
    const { call } = await ask(tab, "k", world.authority);
    await taken(tab);
    const answer = await other.call("k", world.authority);
    tab.page.leaveCache();
    expect(await call).toEqual(answer);
    expect(world.authority.effects("k")).toBe(1);
    await isIdle();
  });

  it("gets that output too if the person approves before it learns of its loss", async () => {
    const { call, resume } = await ask(tab, "k", world.authority);
    await taken(tab);
    const answer = await other.call("k", world.authority);
    resume();
    expect(await call).toEqual(answer);
    expect(world.authority.effects("k")).toBe(1);
  });

  it("gets that output too if its own handler has returned", async () => {
    const { call, resume } = await enter(tab, "k", { execute: () => "mine" });
    await taken(tab);
    const recover = () => ({ recovered: false, outcome: "not_applied" }) as const;
    const answer = await other.call("k", { execute: world.authority.execute, recover });
    tab.page.leaveCache();
    resume();
    expect(await call).toEqual(answer);
    await isIdle();
  });

  it("leaves the next owner's journal entry alone, so that the effect is not run twice", async () => {
    const tool = { ...world.authority, journal: { store: sharedJournal() } };
    const { call } = await ask(tab, "k", tool);
    await taken(tab);
    const applied = gate();
    const hanging = async (invocation: Invocation) => {
      await world.authority.execute(invocation);
      applied.open();
      return never();
    };
    void other.call("k", { ...tool, execute: hanging });
    await applied.opened;

    tab.page.leaveCache();
    await expect(call).rejects.toMatchObject(lost);
    other.page.crash();
    expect(await inTime(world.tab().call("k", tool))).toEqual({ receipt: "k 1" });
    expect(world.authority.effects("k")).toBe(1);
  });
});

/** The tab is cached, and its lock is given to whoever asks for it. */
async function taken(victim: TestTab): Promise<void> {
  victim.page.standStill();
  await world.takeLocks(victim);
}
