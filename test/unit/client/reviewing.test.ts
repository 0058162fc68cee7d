import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OperationResolution } from "../../../src/operations.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { ask, enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;
let other: TestTab;

beforeEach(() => {
  stopTime();
  world = new World();
  tab = world.tab();
  other = world.tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const silent = { execute: () => new Promise(() => {}) };

/** A tab crashes while its handler runs. */
async function leaveDoubt(key: string): Promise<void> {
  const doomed = world.tab();
  await enter(doomed, key, silent);
  doomed.page.crash();
  await until(async () => (await other.profile.operations.get(key))?.state === "in_doubt");
}

describe("a reviewer in another tab", () => {
  it("settles doubt as completed, and every later call gets that output", async () => {
    await leaveDoubt("k");
    const resolution = { outcome: "completed", output: { receipt: "by hand" } } as const;
    await tab.profile.operations.resolve("k", resolution, { label: "ada" });
    expect(await other.call("k", world.authority)).toEqual({ receipt: "by hand" });
    expect(world.authority.effects("k")).toBe(0);
    expect(await tab.profile.operations.get("k")).toMatchObject({
      state: "completed",
      audit: { at: expect.any(Number), outcome: "completed", label: "ada" },
      expiresAt: expect.any(Number),
    });
  });

  it("settles doubt as not applied, and the next call runs its handler", async () => {
    await leaveDoubt("k");
    await tab.profile.operations.resolve("k", { outcome: "not_applied" });
    expect(await tab.profile.operations.get("k")).toMatchObject({
      state: "not_applied",
      audit: { outcome: "not_applied" },
    });
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
    expect(await tab.profile.operations.get("k")).toMatchObject({
      state: "completed",
      audit: { outcome: "not_applied" },
    });
  });

  it("is refused while a call has the key, which goes on undisturbed", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    const refused = other.profile.operations.resolve("k", { outcome: "not_applied" });
    await expect(refused).rejects.toMatchObject({
      code: "operation_not_in_doubt",
      found: "claimed",
    });
    resume();
    expect(await call).toEqual({ receipt: "k 1" });
  });

  it("is refused while a call recovers it", async () => {
    await leaveDoubt("k");
    const recovering = vi.fn(() => new Promise<never>(() => {}));
    tab.call("k", { ...silent, recover: recovering }).catch(() => {});
    await until(() => recovering.mock.calls.length > 0);
    const refused = other.profile.operations.resolve("k", { outcome: "not_applied" });
    await expect(refused).rejects.toMatchObject({ found: "claimed" });
  });

  it("is refused when another call has left other doubt than the reviewer looked at", async () => {
    await leaveDoubt("k");
    const { operations } = other.profile;
    const looked = await operations.get("k");
    await tab.call("k", silent).catch(() => {});
    const word = { outcome: "not_applied" } as const;
    await expect(operations.resolve("k", word, { fence: looked?.fence })).rejects.toMatchObject({
      code: "operation_not_in_doubt",
      found: "in_doubt",
    });
    const again = await operations.get("k");
    await operations.resolve("k", word, { fence: again?.fence });
    expect(await operations.get("k")).toMatchObject({ state: "not_applied" });
  });

  it("needs not wait until somebody notices that the owner is gone", async () => {
    await enter(tab, "k", silent);
    tab.page.crash();
    await other.profile.operations.resolve("k", { outcome: "not_applied" });
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
  });

  it("is heard once though its answer is lost with the worker", async () => {
    await leaveDoubt("k");
    world.storage.committed = (writes) => {
      if (writes.includes("completed")) world.killWorker();
    };
    const resolution = { outcome: "completed", output: 7 } as const;
    await inTime(tab.profile.operations.resolve("k", resolution));
    expect(await inTime(other.call("k", world.authority))).toBe(7);
  });

  it("can't store what could not be replayed, or say what is not known", async () => {
    await leaveDoubt("k");
    const { operations } = tab.profile;
    const resolve = (resolution: unknown, label?: string) =>
      operations.resolve("k", resolution as OperationResolution, { label });
    await expect(resolve({ outcome: "completed", output: () => 1 })).rejects.toMatchObject({
      code: "output_not_serializable",
    });
    await expect(resolve({ outcome: "unknown" })).rejects.toThrow(TypeError);
    await expect(resolve({ outcome: "not_applied" }, "x".repeat(201))).rejects.toThrow(TypeError);
    expect(await operations.get("k")).toMatchObject({ state: "in_doubt" });
  });
});

describe("a purge", () => {
  it("by prefix removes what is settled, in every tab, and leaves doubt and other keys", async () => {
    for (const key of ["ada:1", "ada:2", "bob:1"]) await tab.call(key, world.authority);
    await leaveDoubt("ada:3");
    const { operations } = other.profile;
    expect(await operations.purge({ prefix: "ada:" })).toEqual({ purged: 2, live: [] });
    expect(await tab.call("ada:1", world.authority)).toEqual({ receipt: "ada:1 2" });
    expect(await tab.call("bob:1", world.authority)).toEqual({ receipt: "bob:1 1" });
    expect(await operations.get("ada:3")).toMatchObject({ state: "in_doubt" });
    expect(await operations.purge({ key: "ada:3" }, { inDoubt: true })).toMatchObject({
      purged: 1,
    });
    expect(await operations.get("ada:3")).toBeUndefined();
  });

  it("of many keys takes them in steps, and all of them", async () => {
    const keys = Array.from({ length: 250 }, (_, i) => `ada:${i}`);
    await Promise.all(keys.map((key) => tab.call(key, world.authority)));
    expect(await other.profile.operations.purge({ prefix: "" })).toEqual({ purged: 250, live: [] });
    expect(await other.profile.operations.list()).toEqual({ operations: [] });
  });

  it("lets a live claim go on, whose caller gets its output and nobody else", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    const waiting = await wait(other, "k", world.authority);
    expect(await other.profile.operations.purge({ key: "k" })).toEqual({ purged: 0, live: ["k"] });
    await expect(inTime(waiting.call)).rejects.toMatchObject({ code: "operation_purged" });
    resume();
    expect(await call).toEqual({ receipt: "k 1" });
    expect(await other.profile.operations.get("k")).toBeUndefined();
    expect(await world.record("k")).not.toHaveProperty("output");
    expect(world.authority.effects("k")).toBe(1);
  });

  it("lets a claim that ran nothing free its key", async () => {
    const { call } = await ask(tab, "k", world.authority);
    await other.profile.operations.purge({ key: "k" });
    tab.page.crash();
    await until(async () => (await world.record("k")) === undefined);
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
    await Promise.race([call, undefined]);
  });

  it("of a claim whose owner is gone finds the doubt that it has left", async () => {
    await enter(tab, "k", silent);
    tab.page.crash();
    const { operations } = other.profile;
    expect(await operations.purge({ key: "k" })).toEqual({ purged: 0, live: [] });
    expect(await operations.get("k")).toMatchObject({ state: "in_doubt" });
  });

  it("of a claim does not close its key for ever when owner and worker are lost together", async () => {
    await enter(tab, "k", silent);
    await other.profile.operations.purge({ key: "k" });
    tab.page.crash();
    world.killWorker();
    expect(await inTime(other.call("k", world.authority))).toEqual({ receipt: "k 1" });
  });

  it("of a claim does not close its key for ever where each tab coordinates itself", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const [gone, next] = [world.localTab(), world.localTab()];
    await enter(gone, "k", silent);
    await next.profile.operations.purge({ key: "k" });
    gone.page.crash();
    expect(await inTime(next.call("k", world.authority))).toEqual({ receipt: "k 1" });
  });

  it.each([{}, { key: "" }, { key: "a", prefix: "a" }, { prefix: 7 }])(
    "of %j purges nothing",
    async (target) => {
      await tab.call("a", world.authority);
      const purge = tab.profile.operations.purge(target as { key: string });
      await expect(purge).rejects.toThrow(TypeError);
      expect(await tab.profile.operations.get("a")).toMatchObject({ state: "completed" });
    },
  );
});

describe("recovery that has failed five times", () => {
  it("is not asked again by any tab within a minute, and its callers are told when", async () => {
    await leaveDoubt("k");
    const recover = vi.fn(() => ({ recovered: false, outcome: "unknown" }) as const);
    for (let i = 0; i < 5; i += 1) {
      const call = (i % 2 ? tab : other).call("k", { ...silent, recover });
      await expect(call).rejects.toMatchObject({ code: "outcome_unknown" });
    }
    for (const asking of [tab, other]) {
      await expect(asking.call("k", { ...silent, recover })).rejects.toMatchObject({
        code: "outcome_unknown",
        nextRecoveryAt: expect.any(Number),
        message: expect.stringMatching(/5 times.*person.*allowed at \d{4}-/),
      });
    }
    expect(recover).toHaveBeenCalledTimes(5);
    expect(await tab.profile.operations.get("k")).toMatchObject({
      attempts: 5,
      nextRecoveryAt: expect.any(Number),
    });
    await tab.profile.operations.resolve("k", { outcome: "completed", output: 1 });
    expect(await other.call("k", { ...silent, recover })).toBe(1);
  });
});

describe("a subscription", () => {
  it("tells once when it begins, and then of what any tab does", async () => {
    const told = vi.fn();
    const unsubscribe = other.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    const { call, resume } = await enter(tab, "k", world.authority);
    await until(() => told.mock.calls.length === 2);
    resume();
    await call;
    await until(() => told.mock.calls.length === 3);
    unsubscribe();
    await tab.call("l", world.authority);
    await pass(5_000);
    expect(told).toHaveBeenCalledTimes(3);
  });

  it("makes one call of a burst", async () => {
    const told = vi.fn();
    other.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    const keys = Array.from({ length: 50 }, (_, i) => `${i}`);
    await Promise.all(keys.map((key) => tab.call(key, world.authority)));
    await pass(5_000);
    expect(told.mock.calls.length).toBeLessThan(6);
  });

  it("goes on with the next worker", async () => {
    const told = vi.fn();
    other.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    world.killWorker();
    await until(() => told.mock.calls.length === 2);
    await tab.call("k", world.authority);
    await until(() => told.mock.calls.length > 2);
  });

  it("asks nothing while the page is in the back/forward cache", async () => {
    const told = vi.fn();
    tab.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    tab.page.enterCache();
    await pass(5_000);
    const { transactions } = world.storage;
    await pass(20_000);
    expect(world.storage.transactions).toBe(transactions);
    await other.call("k", world.authority);
    expect(told).toHaveBeenCalledTimes(1);
    tab.page.leaveCache();
    await until(() => told.mock.calls.length === 2);
  });

  it("costs the storage nothing when nobody subscribes", async () => {
    const unsubscribe = tab.profile.operations.subscribe(() => {});
    await pass(3_000);
    unsubscribe();
    await pass(3_000);
    const { transactions } = world.storage;
    await pass(20_000);
    expect(world.storage.transactions).toBe(transactions);
  });

  it("ends with its profile, which then lets go of the worker", async () => {
    const told = vi.fn();
    tab.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    tab.profile.close();
    await pass(5_000);
    expect(await world.pendingLocks(tab)).toEqual([]);
    await other.call("k", world.authority);
    await pass(5_000);
    expect(told).toHaveBeenCalledTimes(1);
  });
});
