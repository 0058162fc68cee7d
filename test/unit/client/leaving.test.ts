import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, pass, patiently, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, leaving, never } from "../runtime/tab.js";
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
afterEach(() => void vi.useRealTimers());

/** A call whose caller leaves while the worker decides about it. */
async function leavesWhileItIsDecided(key: string) {
  await tab.profile.ready();
  // The worker has swept.
  await pass(0);
  const goOn = world.storage.pause();
  const { transactions } = world.storage;
  const { signal, leave, reason } = leaving();
  const call = tab.call(key, { ...world.authority, signal });
  const left = expect(call).rejects.toBe(reason);
  await until(() => world.storage.transactions > transactions);
  leave();
  await left;
  return { goOn };
}

describe("a caller who leaves before the answer", () => {
  it("of a fresh key gives it back: the next call runs at once", async () => {
    const { goOn } = await leavesWhileItIsDecided("k");
    expect(await world.signsOfLife(tab)).toHaveLength(1);
    goOn();
    await until(async () => (await world.signsOfLife(tab)).length === 0);
    expect(await world.record("k")).toBeUndefined();
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
  });

  it("of a key in doubt leaves the doubt, and frees nothing", async () => {
    await enter(other, "k", { execute: never });
    other.page.crash();
    await until(async () => (await world.record("k"))?.state === "in_doubt");
    const { goOn } = await leavesWhileItIsDecided("k");
    goOn();
    await until(async () => (await world.signsOfLife(tab)).length === 0);
    expect(await world.record("k")).toMatchObject({ state: "in_doubt" });
  });

  it("while it waits disturbs neither the owner nor those behind it", async () => {
    const owner = await enter(other, "k", world.authority);
    const { signal, leave, reason } = leaving();
    const { call } = await wait(tab, "k", { ...world.authority, signal });
    const behind = await wait(world.tab(), "k", world.authority);
    leave();
    await expect(call).rejects.toBe(reason);
    await until(async () => (await world.signsOfLife(tab)).length === 0);
    owner.resume();
    const answers = await inTime(Promise.all([owner.call, behind.call]));
    expect(answers).toEqual([{ receipt: "k 1" }, { receipt: "k 1" }]);
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("that its worker took with it gives its new grant back too", async () => {
    const { goOn } = await leavesWhileItIsDecided("k");
    world.killWorker();
    goOn();
    await until(async () => (await world.signsOfLife(tab)).length === 0);
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
  });
});

describe("a key that is handed over", () => {
  /** Waits for the key as an application of the bare store does. */
  async function waitsBare() {
    const told = gate();
    const { signal } = new AbortController();
    const options = { signal, tool: "cancel_order", onWait: told.open };
    const begun = tab.profile.idempotency.begin("k", options);
    begun.catch(() => {});
    await patiently(told.opened);
    return { begun };
  }

  it("to a waiter who asked for no reservation is started before it has it", async () => {
    await ask(other, "k", world.authority);
    const { begun } = await waitsBare();
    other.page.crash();
    expect(await inTime(begun)).toMatchObject({ state: "fresh" });
    // From here on its death leaves doubt: its handler may have been entered.
    expect(await world.record("k")).toMatchObject({ state: "claimed", phase: "started" });
  });

  it("and can't be started, because the disk is full, is released and refused", async () => {
    await ask(other, "k", world.authority);
    const { begun } = await waitsBare();
    world.storage.committed = (writes) => {
      if (writes.includes("claimed")) world.storage.refuses = (next) => next.includes("claimed");
    };
    other.page.crash();
    await expect(inTime(begun)).rejects.toMatchObject({ code: "coordination_unavailable" });
    expect(await world.record("k")).toBeUndefined();
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("through a store that is used by itself needs no tool's name", async () => {
    const { signal } = new AbortController();
    const begun = await tab.profile.idempotency.begin("k", { signal });
    expect(begun).toMatchObject({ state: "fresh", fence: expect.any(Number) });
  });
});
