import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Codec } from "../../../client/codec.js";
import type { TabSettings, TestTab } from "../../support/world/tab.js";
import { inTime, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { never } from "../runtime/tab.js";
import { enter, wait } from "./calls.js";

type Open = (world: World, settings?: TabSettings) => TestTab;

const worker: Open = (world, settings) => world.tab(settings);
const otherBuild: Open = (world, settings) => world.tabOfOtherBuild(settings);
const local: Open = (world, settings) => world.localTab(settings);

const HOUR = 3_600_000;
const terms = { durability: "strict", completedMs: HOUR, maxCompleted: 100 } as const;

/** Only text of the same secret can be decoded. */
const codecOf = (secret: string): Codec => ({
  encode: async (data) =>
    new TextEncoder().encode(secret + JSON.stringify(data).replaceAll("receipt", "•")),
  async decode(bytes) {
    const text = new TextDecoder().decode(bytes);
    if (!text.startsWith(secret)) throw new Error("That is another key's.");
    return JSON.parse(text.slice(secret.length).replaceAll("•", "receipt"));
  },
});

let world: World;

beforeEach(() => {
  stopTime();
  vi.spyOn(console, "warn").mockReturnValue();
  world = new World();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each<[string, Open, Open]>([
  ["two tabs that coordinate themselves", local, local],
  ["a tab that coordinates itself and one with a worker", local, worker],
  ["a tab with a worker and one that coordinates itself", worker, local],
  ["tabs of two builds, each with a worker of its own", worker, otherBuild],
])("in %s", (_, openOne, openTwo) => {
  /** A tab of the first kind crashes while its handler runs. */
  async function leaveDoubt(key: string, settings?: TabSettings): Promise<void> {
    const doomed = openOne(world, settings);
    await enter(doomed, key, { execute: never });
    doomed.page.crash();
  }

  it("each sees the other's claim, waiter and output, and is told of them", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    const told = vi.fn();
    two.profile.operations.subscribe(told);
    await until(() => told.mock.calls.length === 1);
    const { call, resume } = await enter(one, "k", world.authority);
    await until(() => told.mock.calls.length > 1);
    const waiting = await wait(two, "k", world.authority);
    expect(await two.profile.operations.list({ prefix: "k" })).toMatchObject({
      operations: [{ state: "claimed", phase: "started", owner: { alive: true }, waiters: 1 }],
    });
    const before = told.mock.calls.length;
    resume();
    expect(await inTime(waiting.call)).toEqual(await call);
    await until(() => told.mock.calls.length > before);
    expect(await two.profile.operations.get("k", { output: true })).toMatchObject({
      state: "completed",
      output: { receipt: "k 1" },
    });
  });

  it("what one purges is never replayed by the other", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    for (const tab of [one, two]) expect(await tab.call("k", world.authority)).toEqual(first("k"));
    expect(await two.profile.operations.purge({ prefix: "" })).toEqual({ purged: 1, live: [] });
    expect(await one.call("k", world.authority)).toEqual({ receipt: "k 2" });
  });

  it("a purge spares the other's claim, drops its output, and tells who waits on either side", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    const { call, resume } = await enter(one, "k", world.authority);
    const waiters = [await wait(two, "k", world.authority), await wait(one, "k", world.authority)];
    expect(await two.profile.operations.purge({ key: "k" })).toEqual({ purged: 0, live: ["k"] });
    for (const waiting of waiters) {
      await expect(inTime(waiting.call)).rejects.toMatchObject({ code: "operation_purged" });
    }
    resume();
    expect(await call).toEqual(first("k"));
    expect(await world.record("k")).not.toHaveProperty("output");
    expect(world.authority.effects("k")).toBe(1);
  });

  it("a reviewer in one settles what a crash of the other has left, and both get that output", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    const { call, resume } = await enter(one, "open", world.authority);
    const refused = two.profile.operations.resolve("open", { outcome: "not_applied" });
    await expect(refused).rejects.toMatchObject({ found: "claimed" });
    resume();
    await call;

    await leaveDoubt("k");
    const resolution = { outcome: "completed", output: "by hand" } as const;
    await inTime(two.profile.operations.resolve("k", resolution, { label: "ada" }));
    for (const tab of [one, two]) expect(await tab.call("k", world.authority)).toBe("by hand");
    await leaveDoubt("l");
    await inTime(two.profile.operations.resolve("l", { outcome: "not_applied" }));
    expect(await one.call("l", world.authority)).toEqual(first("l"));
  });

  it("an output expires in both by the terms of the tab that stored it", async () => {
    const one = openOne(world, { terms });
    const two = openTwo(world, { terms: { ...terms, completedMs: 7 * HOUR } });
    await one.call("k", world.authority);
    vi.setSystemTime(Date.now() + HOUR - 1);
    expect(await two.call("k", world.authority)).toEqual(first("k"));
    vi.setSystemTime(Date.now() + 1);
    expect(await two.call("k", world.authority)).toEqual({ receipt: "k 2" });
    vi.setSystemTime(Date.now() + HOUR);
    expect(await one.call("k", world.authority)).toEqual({ receipt: "k 2" });
  });

  it("who starts sweeps what the other has stored, and no doubt and no claim", async () => {
    const one = openOne(world, { terms });
    await one.call("old", world.authority);
    await leaveDoubt("doubt");
    await until(async () => (await one.profile.operations.get("doubt"))?.state === "in_doubt");
    const open = await enter(one, "open", world.authority);
    vi.setSystemTime(Date.now() + HOUR);
    await openTwo(world, { terms }).call("new", world.authority);
    await until(async () => (await world.record("old")) === undefined);
    expect(await world.record("doubt")).toMatchObject({ state: "in_doubt" });
    open.resume();
    expect(await open.call).toEqual(first("open"));
  });

  it("outputs and entries are encoded, and who can't decode them leaves doubt, never a free key", async () => {
    const one = openOne(world, { codec: codecOf("a") });
    const two = openTwo(world, { codec: codecOf("a") });
    const stranger = openTwo(world, { codec: codecOf("b") });
    expect(await one.call("k", world.authority)).toEqual(first("k"));
    expect(await two.call("k", world.authority)).toEqual(first("k"));
    expect(JSON.stringify(await world.record("k"))).not.toContain("receipt");
    const { execute } = world.authority;
    const recover = () => ({ recovered: false }) as const;
    const call = stranger.call("k", { execute, recover });
    await expect(inTime(call)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await two.profile.operations.get("k")).toMatchObject({ state: "in_doubt" });
    expect(world.authority.effects("k")).toBe(1);
  });

  it("recovery that has failed five times is slowed down for both together", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    await leaveDoubt("k");
    const recover = vi.fn(() => ({ recovered: false, outcome: "unknown" }) as const);
    for (const tab of [one, two, one, two, one, two, one]) {
      const call = inTime(tab.call("k", { execute: never, recover }));
      await expect(call).rejects.toMatchObject({ code: "outcome_unknown" });
    }
    expect(recover).toHaveBeenCalledTimes(5);
    expect(await two.profile.operations.get("k")).toMatchObject({ attempts: 5 });
  });

  it("both say the same counts, and who coordinates them", async () => {
    const [one, two] = [openOne(world), openTwo(world)];
    await one.call("k", world.authority);
    await enter(two, "open", { execute: never });
    const [a, b] = [await one.profile.health(), await two.profile.health()];
    for (const [health, { profile }] of [[a, one] as const, [b, two] as const]) {
      expect(health).toMatchObject({
        mode: profile.mode,
        durability: "strict",
        counts: { claimed: 1, completed: 1, in_doubt: 0, not_applied: 0 },
      });
      expect(health).not.toHaveProperty("problem");
    }
    expect(a.worker?.instance).not.toBe(b.worker?.instance);
  });
});

it("a tab that coordinates itself has nothing open after it was asked about operations", async () => {
  const tab = world.localTab({ terms });
  await tab.call("k", world.authority);
  const { operations } = tab.profile;
  const unsubscribe = operations.subscribe(() => {});
  await operations.list();
  await operations.purge({ prefix: "" });
  await tab.profile.health();
  unsubscribe();
  await pass(5_000);
  expect([world.storage.open, world.openChannels]).toEqual([0, 0]);
  expect(await world.signsOfLife()).toEqual([]);
});

const first = (key: string) => ({ receipt: `${key} 1` });
