import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { ConnectedProfile } from "../../../client/profile.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, linger, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { never } from "../runtime/tab.js";
import { enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;
let warn: MockInstance<typeof console.warn>;

beforeEach(() => {
  stopTime();
  warn = vi.spyOn(console, "warn").mockReturnValue();
  world = new World();
  tab = world.localTab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a tab whose worker can't start", () => {
  it("coordinates itself, and says once why", async () => {
    expect(tab.profile.mode).toBe("idle");
    expect(await inTime(tab.call("a", world.authority))).toEqual({ receipt: "a 1" });
    expect(await inTime(tab.call("b", world.authority))).toEqual({ receipt: "b 1" });
    expect(tab.profile.mode).toBe("local");
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/did not start: its script is blocked.*Reload the page/)],
    ]);
  });

  it.each<[string, (world: World) => TestTab]>([
    ["of the same kind", (world) => world.localTab()],
    ["that has a worker", (world) => world.tab()],
  ])("gives its answer to a tab %s, and gets that tab's", async (_, open) => {
    const other = open(world);
    const mine = await enter(tab, "mine", world.authority);
    const theirs = await enter(other, "theirs", world.authority);
    const waiters = [
      await wait(other, "mine", world.authority),
      await wait(tab, "theirs", world.authority),
    ];
    mine.resume();
    theirs.resume();
    const [one, two] = await inTime(Promise.all(waiters.map(({ call }) => call)));
    expect([one, two]).toEqual([{ receipt: "mine 1" }, { receipt: "theirs 1" }]);
    expect([world.authority.effects("mine"), world.authority.effects("theirs")]).toEqual([1, 1]);
  });

  it("leaves doubt when it crashes, and its waiter recovers", async () => {
    const other = world.localTab();
    await enter(tab, "k", { execute: never });
    const { call } = await wait(other, "k", world.authority);
    tab.page.crash();
    expect(await inTime(call)).toEqual({ receipt: "k 1" });
  });

  it("has nothing open when it rests, so that it can be cached, and works again afterwards", async () => {
    for (const key of ["a", "b"]) {
      expect(await inTime(tab.call(key, world.authority))).toEqual({ receipt: `${key} 1` });
      expect([...(await world.signsOfLife(tab)), ...(await world.pendingLocks(tab))]).toEqual([]);
      expect([world.storage.open, world.openChannels]).toEqual([0, 0]);
    }
    await tab.profile.ready();
    expect(world.openChannels).toBe(0);
  });

  it("keeps its own coordinator while one of its calls waits", async () => {
    const other = world.tab();
    const owner = await enter(other, "k", world.authority);
    const { call } = await wait(tab, "k", world.authority);
    expect(await inTime(tab.call("quick", world.authority))).toEqual({ receipt: "quick 1" });
    owner.resume();
    expect(await inTime(call)).toEqual({ receipt: "k 1" });
  });
});

it("a page without a SharedWorker says that it is the reason (C022, okikio/sharedworker#1)", async () => {
  const page = world.page();
  const platform = { ...page.platform(), sharedWorker: false };
  const { worker } = page;
  const settings = { namespace: "shop", helloTimeoutMs: 5_000, worker, platform };
  const profile = new ConnectedProfile(settings);
  await profile.ready();
  expect(profile.mode).toBe("local");
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("this page has no SharedWorker"));
});

it("an old tab whose scripts are all gone after a deployment is told to reload, before any effect", async () => {
  tab.page.startInPage = () => Promise.reject(new TypeError("Failed to fetch"));
  const call = tab.call("k", world.authority);
  await expect(inTime(call)).rejects.toMatchObject({
    code: "coordination_unavailable",
    message: expect.stringMatching(/blocked, and what replaces it could not be loaded.*Reload/),
  });
  expect(world.authority.effects("k")).toBe(0);
  expect(warn).not.toHaveBeenCalled();
  expect(tab.profile.mode).toBe("idle");
});

it("a tab that coordinates itself, and once can't, says so as it would the first time", async () => {
  await tab.call("a", world.authority);
  await linger();
  tab.page.startInPage = () => Promise.reject(new TypeError("Failed to fetch"));
  await expect(inTime(tab.call("b", world.authority))).rejects.toMatchObject({
    code: "coordination_unavailable",
    message: expect.stringMatching(/blocked, and what replaces it could not be loaded.*Reload/),
  });
  expect(world.authority.effects("b")).toBe(0);
});
