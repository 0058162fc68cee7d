import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;
let other: TestTab;

beforeEach(() => {
  stopTime();
  world = new World();
  tab = world.tab();
  other = world.tab();
});
afterEach(() => void vi.useRealTimers());

const disposed = {
  code: "coordination_unavailable",
  message: expect.stringContaining("This profile is disposed."),
};

describe("a profile that is closed", () => {
  it("refuses new calls, before any effect", async () => {
    await tab.call("before", world.authority);
    tab.profile.close();
    await expect(tab.call("k", world.authority)).rejects.toMatchObject(disposed);
    await expect(tab.profile.ready()).rejects.toMatchObject(disposed);
    expect(world.authority.effects("k")).toBe(0);
  });

  it("keeps its lock and its line until its open claims are settled, and refuses new ones (C036, GoogleChromeLabs/comlink#655)", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    tab.profile.close();
    await expect(tab.call("new", world.authority)).rejects.toMatchObject(disposed);
    const waiter = await wait(other, "k", world.authority);
    expect(await world.signsOfLife(tab)).toHaveLength(1);
    resume();
    expect(await call).toEqual({ receipt: "k 1" });
    expect(await inTime(waiter.call)).toEqual({ receipt: "k 1" });
    expect(await world.signsOfLife()).toEqual([]);
    expect(await world.pendingLocks(tab)).toEqual([]);
  });

  it("still answers the calls that wait", async () => {
    const owner = await enter(other, "k", world.authority);
    const waiter = await wait(tab, "k", world.authority);
    tab.profile.close();
    owner.resume();
    expect(await inTime(waiter.call)).toEqual({ receipt: "k 1" });
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("survives the loss of its worker while a claim is open (C038, GoogleChromeLabs/comlink#653)", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    tab.profile.close();
    world.killWorker();
    resume();
    expect(await inTime(call)).toEqual({ receipt: "k 1" });
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("still answers a purge whose worker is lost", async () => {
    await tab.call("k", world.authority);
    world.killWorker();
    const purge = tab.profile.operations.purge({ prefix: "" });
    tab.profile.close();
    world.killWorker();
    expect(await inTime(purge)).toEqual({ purged: 1, live: [] });
  });

  it("still stops its open handlers when the page comes back from the cache", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    tab.profile.close();
    tab.page.leaveCache();
    resume();
    await expect(call).rejects.toMatchObject({ code: "claim_lost" });
    expect(world.authority.effects("k")).toBe(0);
  });
});
