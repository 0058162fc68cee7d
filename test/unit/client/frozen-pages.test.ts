import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, never } from "../runtime/tab.js";
import { enter, wait } from "./calls.js";

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

const receipt = (key: string) => ({ receipt: `${key} 1` });
const failing = {
  execute() {
    throw new Error("before");
  },
};
/** A hook that must not be asked. */
const unasked = () => {
  throw new Error("There is nothing to recover.");
};

describe.each<[string, (world: World) => TestTab]>([
  ["that has a worker", (world) => world.tab()],
  ["that coordinates itself", (world) => world.localTab()],
])("a page %s in the back/forward cache", (_, open) => {
  beforeEach(() => {
    tab = open(world);
  });
  afterEach(() => expect(tab.page.heardInCache).toBe(0));

  it("holds no place in a queue, and gets its answer when it is shown again", async () => {
    const owner = await enter(other, "k", failing);
    const frozen = await wait(tab, "k", world.authority);
    tab.page.enterCache();
    const behind = await wait(world.tab(), "k", world.authority);
    owner.resume();
    expect(await inTime(behind.call)).toEqual(receipt("k"));
    tab.page.leaveCache();
    expect(await inTime(frozen.call)).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("works as before when it was idle", async () => {
    expect(await inTime(tab.call("a", world.authority))).toEqual(receipt("a"));
    tab.page.enterCache();
    expect(await inTime(other.call("b", world.authority))).toEqual(receipt("b"));
    tab.page.leaveCache();
    expect(await inTime(tab.call("b", world.authority))).toEqual(receipt("b"));
    expect(await inTime(tab.call("c", world.authority))).toEqual(receipt("c"));
  });

  it("asks for nothing until it is shown again", async () => {
    await tab.profile.ready();
    tab.page.enterCache();
    const call = tab.call("k", world.authority);
    const ready = tab.profile.ready();
    await pass(10_000);
    expect(await world.record("k")).toBeUndefined();
    expect(await world.signsOfLife(tab)).toEqual([]);
    tab.page.leaveCache();
    expect(await inTime(call)).toEqual(receipt("k"));
    await inTime(ready);
  });
});

it("a page that is frozen before the worker's first answer does not hear it, and connects when it is shown again (C066, electric-sql/pglite#850)", async () => {
  const ready = tab.profile.ready();
  while (world.workers.length === 0) await Promise.resolve();
  tab.page.enterCache();
  await pass(20_000);
  expect(tab.page.heardInCache).toBe(0);
  tab.page.leaveCache();
  await inTime(ready);
  expect(tab.profile.mode).toBe("shared");
});

describe("a claim that was made for a page which is frozen before it hears of it", () => {
  it("is undone: the next caller runs the operation as fresh", async () => {
    await tab.profile.ready();
    const goOn = world.storage.pause();
    const { transactions } = world.storage;
    const frozen = tab.call("k", world.authority);
    await until(() => world.storage.transactions > transactions);
    tab.page.enterCache();
    await pass(100);
    goOn();
    await pass(100);
    expect(tab.page.heardInCache).toBe(0);
    const tool = { ...world.authority, recover: unasked };
    expect(await inTime(other.call("k", tool))).toEqual(receipt("k"));
    tab.page.leaveCache();
    expect(await inTime(frozen)).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
  });

  it("stays in doubt if it was a takeover", async () => {
    await enter(other, "k", { execute: never });
    other.page.crash();
    const third = world.tab();
    await third.profile.ready();
    await tab.profile.ready();
    await until(async () => (await world.record("k"))?.state === "in_doubt");
    const goOn = world.storage.pause();
    const { transactions } = world.storage;
    const frozen = tab.call("k", world.authority);
    await until(() => world.storage.transactions > transactions);
    tab.page.enterCache();
    await pass(100);
    goOn();
    const recovered = gate();
    const recover = async (invocation: Parameters<typeof world.authority.recover>[0]) => {
      recovered.open();
      return world.authority.recover(invocation);
    };
    const answer = third.call("k", { ...world.authority, recover });
    await recovered.opened;
    expect(await inTime(answer)).toEqual(receipt("k"));
    tab.page.leaveCache();
    expect(await inTime(frozen)).toEqual(receipt("k"));
  });
});

describe("a page that was left in the middle of an operation", () => {
  it("is evicted when others wait for its key, and they recover", async () => {
    const { execute } = world.authority;
    const hanging = enter(tab, "k", { execute: never });
    await hanging;
    tab.page.enterCache();
    await pass(10_000);
    expect(tab.page.crashed).toBe(false);
    expect(await inTime(other.call("k", { ...world.authority, execute }))).toEqual(receipt("k"));
    expect(tab.page.crashed).toBe(true);
  });

  it.each<[string, (world: World) => TestTab]>([
    ["the same coordinator", (world) => world.tab()],
    ["another coordinator", (world) => world.localTab()],
  ])("is evicted also for who waits since before, through %s", async (_, open) => {
    await enter(tab, "k", { execute: never });
    const { call } = await wait(open(world), "k", world.authority);
    tab.page.enterCache();
    expect(await inTime(call)).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
  });

  it("loses its claim when it is shown again", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    tab.page.enterCache();
    tab.page.leaveCache();
    resume();
    await expect(inTime(call)).rejects.toMatchObject({ code: "claim_lost" });
    expect(world.authority.effects("k")).toBe(0);
  });
});

it("a page that is hidden for good says nothing", async () => {
  await tab.profile.ready();
  tab.page.hide();
  expect(await tab.call("k", world.authority)).toEqual(receipt("k"));
});
