import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OperationJournal } from "../../../src/index.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, linger, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { never } from "../runtime/tab.js";
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

/** A tool whose handler fails before its effect. */
const unreachable = new Error("The server can't be reached.");
const failing = {
  execute() {
    throw unreachable;
  },
};

/** The next settlements of this kind find the disk full. */
function refuse(states: readonly string[], times: number): void {
  let left = times;
  world.storage.refuses = (writes) => {
    if (!writes.some((write) => states.includes(write)) || left === 0) return false;
    left -= 1;
    return true;
  };
}

async function fails({ call, resume }: Awaited<ReturnType<typeof enter>>): Promise<void> {
  resume();
  await expect(call).rejects.toBe(unreachable);
}

describe("a release that could not be stored", () => {
  it("frees the key later for those who wait, in the same tab too", async () => {
    const owner = await enter(tab, "k", failing);
    const [same, elsewhere] = [
      await wait(tab, "k", world.authority),
      await wait(other, "k", world.authority),
    ];
    refuse(["free", "in_doubt"], 3);
    await fails(owner);
    const answers = await inTime(Promise.all([same.call, elsewhere.call]));
    expect(answers).toEqual([{ receipt: "k 1" }, { receipt: "k 1" }]);
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("frees the key although a long call in the same tab keeps its lock", async () => {
    await enter(tab, "long", { execute: never });
    const owner = await enter(tab, "k", failing);
    refuse(["free", "in_doubt"], 3);
    await fails(owner);
    const answer = inTime(other.call("k", world.authority));
    expect(await answer).toEqual({ receipt: "k 1" });
  });

  it("is tried until it is stored, under its old lock, and new calls take another", async () => {
    const owner = await enter(tab, "k", failing);
    const [old] = await world.signsOfLife(tab);
    world.storage.refuses = (writes) => writes.includes("free");
    await fails(owner);
    await pass(10_000);
    expect(await world.signsOfLife(tab)).toEqual([old]);

    await enter(tab, "new", { execute: never });
    expect(await world.signsOfLife(tab)).toHaveLength(2);
    world.storage.refuses = () => false;
    await until(async () => (await world.record("k")) === undefined);
    const locks = await world.signsOfLife(tab);
    expect(locks).toHaveLength(1);
    expect(locks).not.toContainEqual(old);
  });
});

describe("a completion that could not be stored", () => {
  it("gives its caller the verified output, and the next caller recovers it", async () => {
    refuse(["completed"], 1);
    expect(await tab.call("k", world.authority)).toEqual({ receipt: "k 1" });
    expect(await world.record("k")).toMatchObject({ state: "in_doubt", executed: true });
    expect(await other.call("k", world.authority)).toEqual({ receipt: "k 1" });
    expect(world.authority.effects("k")).toBe(1);
  });

  it("is known to have run even if the doubt could not be stored at first", async () => {
    const { recover } = world.authority;
    let effects = 0;
    const execute = () => (effects += 1);
    refuse(["completed", "in_doubt"], 5);
    expect(await tab.call("k", { recover, execute })).toBe(1);
    const later = inTime(other.call("k", { recover, execute }));
    await expect(later).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(effects).toBe(1);
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
  });
});

it("an output that is too large to be stored stays its caller's, and the next call recovers", async () => {
  const large = "x".repeat(4 * 1_024 * 1_024 + 1);
  const stages: string[] = [];
  let effects = 0;
  const call = tab.call("k", {
    async execute({ operation }) {
      effects += 1;
      await operation?.write({ effects });
      return large;
    },
    observe: ({ stage }) => stages.push(stage),
  });
  expect(await inTime(call)).toBe(large);
  expect(stages).toContain("result_not_stored");
  const recover = () => ({ recovered: true, output: "small" }) as const;
  expect(await inTime(other.call("k", { execute: never, recover }))).toBe("small");
  expect(effects).toBe(1);
});

describe("an own journal that can't be cleaned", () => {
  const journal = (remove: () => void): { store: OperationJournal } => ({
    store: { scope: "profile", id: "own", read: () => undefined, write: () => {}, remove },
  });

  it("fails the call with its own error, and the key is everybody's again", async () => {
    const denied = new DOMException("denied", "SecurityError");
    const { authority } = world;
    const broken = journal(() => {
      throw denied;
    });
    await expect(tab.call("k", { ...authority, journal: broken })).rejects.toBe(denied);
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
    const recover = () => ({ recovered: false, outcome: "not_applied" }) as const;
    const usable = { execute: authority.execute, recover, journal: journal(() => {}) };
    expect(await other.call("k", usable)).toEqual({ receipt: "k 1" });
  });
});

describe("a worker whose disk is full", () => {
  it("does not spin while it can't bury a dead owner, and buries it once there is space", async () => {
    await enter(tab, "k", { execute: never });
    const { call } = await wait(other, "k", { execute: world.authority.execute });
    world.storage.refuses = (writes) => writes.length > 0;
    const { transactions } = world.storage;
    tab.page.crash();
    await pass(20_000);
    // Every two seconds: one look at the record and one burial.
    expect(world.storage.transactions - transactions).toBeLessThan(30);
    world.storage.refuses = () => false;
    await expect(inTime(call)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(await world.record("k")).toMatchObject({ state: "in_doubt" });
  });

  it("refuses a call before its handler is entered", async () => {
    world.storage.refuses = (writes) => writes.length > 0;
    const call = tab.call("k", world.authority);
    await expect(call).rejects.toMatchObject({ code: "coordination_unavailable" });
    expect(world.authority.effects("k")).toBe(0);
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
  });
});

describe("a worker whose database is damaged", () => {
  it("refuses calls before their handlers are entered, and works once it can be opened (C083, dexie/Dexie.js#543)", async () => {
    const broken = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("Internal error opening backing store.", "UnknownError");
    });
    for (const caller of [tab, other, tab]) {
      await expect(inTime(caller.call("k", world.authority))).rejects.toMatchObject({
        code: "coordination_unavailable",
        cause: { name: "UnknownError" },
      });
    }
    expect(world.authority.effects("k")).toBe(0);
    broken.mockRestore();
    expect(await inTime(tab.call("k", world.authority))).toEqual({ receipt: "k 1" });
  });
});
