import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, never } from "../runtime/tab.js";
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

describe.each<[string, () => void]>([
  ["ends without a word", () => world.killWorker()],
  ["is run again on the same ports", () => world.rerunWorker()],
])(
  "a worker that %s (C004, WebKit/WebKit#71486 (webkit.org/b/318873); C005, whatwg/html#11205)",
  (_, lose) => {
    it("in the middle of a call costs neither the call nor a second effect", async () => {
      const { call, resume } = await enter(tab, "k", world.authority);
      lose();
      resume();
      expect(await inTime(call)).toEqual({ receipt: "k 1" });
      expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
      expect(world.authority.effects("k")).toBe(1);
    });

    it.each(["claimed", "entry", "completed"] as const)(
      "after it has stored `%s`, and before it answers, costs nothing either",
      async (write) => {
        // Connected before: an answer that is only lost can be told from a hello without one.
        await tab.profile.ready();
        once(write, lose);
        expect(await inTime(tab.call("k", world.authority))).toEqual({ receipt: "k 1" });
        expect(world.authority.effects("k")).toBe(1);
        expect(await world.record("k")).toMatchObject({ state: "completed" });
        expect(await world.signsOfLife()).toEqual([]);
      },
    );

    it("while calls wait gives each of them the answer", async () => {
      const owner = await enter(tab, "k", world.authority);
      const first = await wait(other, "k", world.authority);
      const second = await wait(other, "k", world.authority);
      lose();
      owner.resume();
      const answers = await inTime(Promise.all([owner.call, first.call, second.call]));
      expect(answers).toEqual(answers.map(() => ({ receipt: "k 1" })));
      expect(world.authority.effects("k")).toBe(1);
      expect(await world.signsOfLife()).toEqual([]);
    });
  },
);

describe("a begin that is issued again", () => {
  it("has a new sign of life, and the old one is kept until the call is answered", async () => {
    await tab.profile.ready();
    let resume = () => {};
    once("claimed", () => {
      resume = world.storage.pause();
      world.killWorker();
    });
    const call = tab.call("k", world.authority);
    await until(async () => (await world.signsOfLife(tab)).length === 2);
    const [old, renewed] = await world.signsOfLife(tab);
    expect(await world.record("k")).toMatchObject({ attempt: 0, owner: idOf(old) });

    const written = gate();
    once("entry", written.open);
    resume();
    await written.opened;
    expect(await world.record("k")).toMatchObject({ attempt: 1, owner: idOf(renewed) });
    expect(await world.signsOfLife(tab)).toEqual([renewed]);
    expect(await call).toEqual({ receipt: "k 1" });
  });

  it("gives up with a typed error, before any effect, when workers die again and again", async () => {
    world.storage.committed = (writes) => writes.includes("claimed") && world.killWorker();
    const call = inTime(tab.call("k", world.authority));
    await expect(call).rejects.toMatchObject({
      code: "coordination_unavailable",
      message: expect.stringContaining("lost several times"),
    });
    expect(world.authority.effects("k")).toBe(0);

    // What it may have been granted meanwhile is given back as soon as a worker lives.
    world.storage.committed = () => {};
    await until(async () => (await world.signsOfLife()).length === 0);
    expect(await inTime(tab.call("k", world.authority))).toEqual({ receipt: "k 1" });
  });
});

describe("a tab that was taken for dead, and whose worker then dies", () => {
  it("does not leave a waiting call without an answer", async () => {
    await enter(other, "k", { execute: never });
    const recover = () => ({ recovered: false, outcome: "not_applied" }) as const;
    const { call } = await wait(tab, "k", { execute: world.authority.execute, recover });
    tab.page.leaveCache();
    world.killWorker();
    other.page.crash();
    expect(await inTime(call)).toEqual({ receipt: "k 1" });
  });

  it("does not leave a handler waiting for its journal", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    const goOn = world.storage.pause();
    const { transactions } = world.storage;
    resume();
    await until(() => world.storage.transactions > transactions);
    tab.page.leaveCache();
    world.killWorker();
    goOn();
    await expect(inTime(call)).rejects.toMatchObject({ code: "claim_lost" });
    expect(await world.pendingLocks(tab)).toEqual([]);
  });
});

/** Acts on the first commit that writes this. */
function once(write: "claimed" | "entry" | "completed", act: () => void): void {
  world.storage.committed = (writes) => {
    if (!writes.includes(write)) return;
    world.storage.committed = () => {};
    act();
  };
}

/** The client id that a lock's name ends with. */
const idOf = (lock: LockInfo | undefined) => lock?.name?.split(":").at(-1);

/** A call's claim is stored, its worker dies before it answers, and the disk is full when the call is issued again. */
async function refusedWhenIssuedAgain() {
  const world = new World();
  const tab = world.tab();
  await tab.profile.ready();
  world.storage.committed = (writes) => {
    if (!writes.includes("claimed")) return;
    world.storage.committed = () => {};
    world.killWorker();
    let left = 1;
    world.storage.refuses = (next) => next.includes("claimed") && left-- > 0;
  };
  return { world, tab };
}

describe("a begin that is refused when it is issued again", () => {
  it("does not keep its key from the next call of its tab", async () => {
    const { world, tab } = await refusedWhenIssuedAgain();
    const first = tab.call("k", world.authority);
    const refused = expect(first).rejects.toMatchObject({ code: "coordination_unavailable" });
    const second = tab.call("k", world.authority);
    await refused;
    expect(await inTime(second)).toEqual({ receipt: "k 1" });
  });

  it("does not keep its key from other tabs, while a long call of its tab has the same lock", async () => {
    const { world, tab } = await refusedWhenIssuedAgain();
    const { committed } = world.storage;
    world.storage.committed = () => {};
    const long = await enter(tab, "long", world.authority);
    world.storage.committed = committed;
    await expect(inTime(tab.call("k", world.authority))).rejects.toMatchObject({
      code: "coordination_unavailable",
    });
    expect(await inTime(world.tab().call("k", world.authority))).toEqual({ receipt: "k 1" });
    long.resume();
  });
});
