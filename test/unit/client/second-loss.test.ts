import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { guard } from "../../../src/guard.js";
import type { Stage } from "../../../src/index.js";
import type { Invocation } from "../../support/world/authority.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, never } from "../runtime/tab.js";
import { ask, enter, sharedJournal, wait } from "./calls.js";

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

const lost = { code: "claim_lost" };
const unknown = { code: "outcome_unknown" };

/** A tool without a journal: only its owner knows that its handler has returned. */
function counting() {
  let effects = 0;
  const { recover } = world.authority;
  return { tool: { recover, execute: () => ++effects }, effects: () => effects };
}

describe("a tab that has lost its claim, and its profile is disposed", () => {
  it("says that its handler has returned, so that nobody runs the effect again", async () => {
    const { tool, effects } = counting();
    const { call, resume } = await enter(tab, "k", tool);
    tab.profile.close();
    tab.page.leaveCache();
    resume();
    await expect(inTime(call)).rejects.toMatchObject(lost);
    await expect(inTime(other.call("k", tool))).rejects.toMatchObject(unknown);
    expect(effects()).toBe(1);
  });

  it("gets the output that was completed meanwhile, instead of an error", async () => {
    const { call } = await ask(tab, "k", world.authority);
    tab.profile.close();
    tab.page.standStill();
    await world.takeLocks(tab);
    const answer = await other.call("k", world.authority);
    tab.page.leaveCache();
    expect(await inTime(call)).toEqual(answer);
  });
});

describe("a tab that has lost its claim, and whose disk is full", () => {
  it("says later that its handler has returned, so that nobody runs the effect again", async () => {
    const { tool, effects } = counting();
    const { call, resume } = await enter(tab, "k", tool);
    await world.takeLocks(tab);
    world.storage.refuses = (writes) => writes.includes("in_doubt");
    resume();
    await expect(inTime(call)).rejects.toMatchObject(lost);
    world.storage.refuses = () => false;
    await until(async () => executed(await world.record("k")));
    await expect(inTime(other.call("k", tool))).rejects.toMatchObject(unknown);
    expect(effects()).toBe(1);
  });

  it("says so too if it loses its lock only while it tries", async () => {
    const { tool, effects } = counting();
    world.storage.refuses = (writes) => writes.includes("completed") || writes.includes("in_doubt");
    expect(await inTime(tab.call("k", tool))).toBe(1);
    await world.takeLocks(tab);
    await pass(1_000);
    world.storage.refuses = () => false;
    await until(async () => executed(await world.record("k")));
    await expect(inTime(other.call("k", tool))).rejects.toMatchObject(unknown);
    expect(effects()).toBe(1);
  });
});

it("a waiter that loses the key as it is handed over gets the output of whoever completes it", async () => {
  const failing = await enter(other, "k", {
    execute() {
      throw new Error("The server can't be reached.");
    },
  });
  const waiter = await wait(tab, "k", world.authority);
  const taken = gate();
  world.storage.committed = (writes) => {
    if (!writes.includes("claimed")) return;
    world.storage.committed = () => {};
    tab.page.standStill();
    void world.takeLocks(tab).then(taken.open);
  };
  failing.resume();
  await expect(failing.call).rejects.toThrow("can't be reached");
  await inTime(taken.opened);
  const answer = await inTime(world.tab().call("k", world.authority));
  tab.page.leaveCache();
  expect(await inTime(waiter.call)).toEqual(answer);
  expect(world.authority.effects("k")).toBe(1);
});

it("a handler that cleans up after its loss leaves the next owner's entry in an application's journal", async () => {
  const { authority } = world;
  const tool = { recover: authority.recover, journal: { store: sharedJournal() } };
  const { call, resume } = await enter(tab, "k", {
    ...tool,
    async execute({ operation }) {
      await operation?.remove();
      throw new Error("The server refused.");
    },
  });
  tab.page.leaveCache();
  const applied = gate();
  const hanging = async (invocation: Invocation) => {
    await authority.execute(invocation);
    applied.open();
    return never();
  };
  void other.call("k", { ...tool, execute: hanging });
  await inTime(applied.opened);
  resume();
  await expect(inTime(call)).rejects.toMatchObject(lost);
  other.page.crash();
  const again = inTime(world.tab().call("k", { ...tool, execute: authority.execute }));
  expect(await again).toEqual({ receipt: "k 1" });
  expect(authority.effects("k")).toBe(1);
});

it("a tool that names its profile's store and journal itself does not clean up what is gone with its claim", async () => {
  const { idempotency, journal } = tab.profile;
  const stages: Stage[] = [];
  const cancel = guard(
    async (_, { operation }) => {
      await operation?.write("sent");
      return "cancelled";
    },
    {
      name: "cancel_order",
      inputSchema: { type: "object" },
      idempotency: { key: () => "k", store: idempotency },
      journal: { store: journal },
      observe: ({ stage }) => stages.push(stage),
    },
  );
  // Compiling the schema takes its time, which is not the world's.
  vi.useRealTimers();
  expect(await cancel({})).toBe("cancelled");
  expect(stages).toContain("succeeded");
  expect(stages).not.toContain("cleanup_failed");
});

const executed = (record: Awaited<ReturnType<World["record"]>>): boolean =>
  record?.state === "in_doubt" && record.executed;
