import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import { linger, pass, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { leaving } from "../runtime/tab.js";
import { ask, enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;

beforeEach(() => {
  stopTime();
  world = new World();
  tab = world.tab();
});
afterEach(() => void vi.useRealTimers());

const locks = async () => [...(await world.signsOfLife(tab)), ...(await world.pendingLocks(tab))];

describe("a tab without open work holds no lock and waits for none, so that it can be cached", () => {
  it("when it has only connected", async () => {
    await tab.profile.ready();
    expect(tab.profile.mode).toBe("shared");
    expect(await locks()).toEqual([]);
  });

  it("after a moment in which it would have used them again", async () => {
    await tab.call("k", world.authority);
    const [sign] = await world.signsOfLife(tab);
    await tab.call("other", world.authority);
    expect(await world.signsOfLife(tab)).toEqual([sign]);
    await linger();
    expect(await locks()).toEqual([]);
  });

  it("at once when it is cached", async () => {
    await tab.call("k", world.authority);
    tab.page.enterCache();
    await pass(0);
    expect(await locks()).toEqual([]);
  });

  it("at once when its profile is disposed", async () => {
    await tab.call("k", world.authority);
    tab.profile.close();
    await pass(0);
    expect(await locks()).toEqual([]);
  });

  it("after a call, a replay and a refusal", async () => {
    await tab.call("k", world.authority);
    await tab.call("k", world.authority);
    const conflict = tab.call("k", { ...world.authority, name: "another_tool" });
    await expect(conflict).rejects.toMatchObject({ code: "idempotency_conflict" });
    await linger();
    expect(await locks()).toEqual([]);
  });

  it("after a handler that threw, a person who declined and a caller who left", async () => {
    const thrown = new Error("thrown");
    const throws = () => {
      throw thrown;
    };
    await expect(tab.call("k", { execute: throws })).rejects.toBe(thrown);
    const confirm = { mode: "effect-only", request: () => false } as const;
    const declined = tab.call("k", { ...world.authority, confirm });
    await expect(declined).rejects.toMatchObject({ code: "confirmation_declined" });
    const { signal, leave, reason } = leaving();
    const { call } = await ask(tab, "k", { ...world.authority, signal });
    leave();
    await expect(call).rejects.toBe(reason);
    await linger();
    expect(await locks()).toEqual([]);
  });

  it("after its worker was lost", async () => {
    await tab.call("k", world.authority);
    world.killWorker();
    await pass(1_000);
    await tab.call("other", world.authority);
    await linger();
    expect(await locks()).toEqual([]);
  });
});

describe("a tab with open work", () => {
  it("shows one sign of life for a burst of calls, until the last is settled", async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `k${index}`);
    const calls = await Promise.all(keys.map((key) => enter(tab, key, world.authority)));
    const [sign, ...more] = await world.signsOfLife(tab);
    expect(more).toEqual([]);
    const [last, ...others] = calls;
    for (const { resume } of others) resume();
    await Promise.all(others.map(({ call }) => call));
    expect(await world.signsOfLife(tab)).toEqual([sign]);
    last?.resume();
    await last?.call;
    await linger();
    expect(await locks()).toEqual([]);
  });

  it("never shows the same sign of life twice", async () => {
    const seen: unknown[] = [];
    for (const key of ["a", "b", "c"]) {
      const { call, resume } = await enter(tab, key, world.authority);
      seen.push(...(await world.signsOfLife(tab)).map(({ name }) => name));
      resume();
      await call;
      await linger();
    }
    expect(new Set(seen).size).toBe(3);
  });

  it("keeps its sign of life while it waits for another tab", async () => {
    const owner = await enter(world.tab(), "k", world.authority);
    const { call } = await wait(tab, "k", world.authority);
    await pass(60_000);
    expect(await world.signsOfLife(tab)).toHaveLength(1);
    owner.resume();
    expect(await call).toEqual({ receipt: "k 1" });
    await linger();
    expect(await locks()).toEqual([]);
  });
});
