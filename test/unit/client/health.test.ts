import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BUILD } from "../../../worker/names.js";
import { TestTab } from "../../support/world/tab.js";
import { inTime, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";

beforeEach(stopTime);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a profile's health", () => {
  it("says who coordinates, what is stored and what failed last", async () => {
    const world = new World();
    const tab = world.tab();
    await tab.call("k", world.authority);
    const health = await tab.profile.health();
    expect(health).toEqual({
      mode: "shared",
      durability: "strict",
      worker: { instance: expect.any(String), build: BUILD },
      counts: { claimed: 0, completed: 1, in_doubt: 0, not_applied: 0 },
    });
    world.storage.refuses = (writes) => writes.length > 0;
    await tab.call("l", world.authority).catch(() => {});
    expect(await tab.profile.health()).toMatchObject({
      lastStorageError: { name: "QuotaExceededError", at: expect.any(Number) },
    });
  });

  it("says what the browser tells of its storage", async () => {
    const storage = {
      estimate: async () => ({ usage: 7, quota: 100 }),
      persisted: async () => false,
    };
    const page = new World().page();
    page.storage = storage as StorageManager;
    const tab = new TestTab(page, "shop");
    expect(await tab.profile.health()).toMatchObject({ usage: 7, quota: 100, persisted: false });
  });

  it("says why the worker can't be asked, and the rest", async () => {
    const world = new World();
    const tab = world.tab();
    world.storage.refuses = () => true;
    expect(await inTime(tab.profile.health())).toMatchObject({
      durability: "strict",
      problem: expect.stringContaining("disk is full"),
    });
    tab.profile.close();
    expect(await tab.profile.health()).toMatchObject({
      problem: expect.stringContaining("disposed"),
    });
  });

  it("names the build that the package has", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(BUILD).toBe(version);
  });
});
