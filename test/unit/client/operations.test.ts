import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OperationQuery } from "../../../src/operations.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, linger, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
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
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a profile's operations", () => {
  it("are seen by every tab, from the claim to the stored output", async () => {
    const { call, resume } = await enter(tab, "order:1", world.authority);
    const waiting = await wait(other, "order:1", world.authority);
    const { operations } = other.profile;
    expect(await operations.list({ prefix: "order:" })).toMatchObject({
      operations: [
        {
          key: "order:1",
          tool: "cancel_order",
          state: "claimed",
          phase: "started",
          owner: { alive: true },
          waiters: 1,
        },
      ],
    });
    resume();
    const output = await call;
    await waiting.call;
    expect(await operations.get("order:1", { output: true })).toMatchObject({
      state: "completed",
      waiters: 0,
      output,
    });
    expect(await operations.get("order:1")).not.toHaveProperty("output");
    expect(await operations.get("order:2")).toBeUndefined();
  });

  it("that can't be read say so as a call would, with the reason", async () => {
    const { operations } = tab.profile;
    world.storage.refuses = () => true;
    const asked = [operations.list(), operations.get("k"), operations.purge({ key: "k" })];
    const refused = {
      status: "rejected",
      reason: { code: "coordination_unavailable", cause: expect.any(DOMException) },
    };
    expect(await inTime(Promise.allSettled(asked))).toMatchObject([refused, refused, refused]);
  });

  it("show the doubt that a crash has left, though nobody calls again", async () => {
    await enter(tab, "order:1", world.authority);
    const { operations } = other.profile;
    await operations.list();
    tab.page.crash();
    await until(async () => (await operations.get("order:1"))?.state === "in_doubt");
    expect(await operations.list({ state: "in_doubt" })).toMatchObject({
      operations: [{ key: "order:1" }],
    });
  });

  it("are asked for again when the worker is lost", async () => {
    await tab.call("order:1", world.authority);
    world.killWorker();
    await expect(inTime(tab.profile.operations.get("order:1"))).resolves.toMatchObject({
      state: "completed",
    });
  });

  it("leave the tab without a lock", async () => {
    await tab.call("order:1", world.authority);
    await tab.profile.operations.list();
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
    expect(await world.pendingLocks(tab)).toEqual([]);
  });

  it("of a profile that was disposed can't be asked for", async () => {
    tab.profile.close();
    await expect(tab.profile.operations.list()).rejects.toMatchObject({
      code: "coordination_unavailable",
    });
  });
});

describe("a query out of bounds is refused in the tab", () => {
  it.each<[string, unknown]>([
    ["state", { state: "free" }],
    ["limit", { limit: 0 }],
    ["limit", { limit: 1_001 }],
    ["limit", { limit: 1.5 }],
    ["prefix", { prefix: 7 }],
    ["prefix", { prefix: "x".repeat(1_025) }],
    ["cursor", { cursor: "" }],
    ["cursor", { prefix: "a", cursor: "b" }],
  ])("%s of %j", async (field, query) => {
    const refused = tab.profile.operations.list(query as OperationQuery);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(field);
    expect(tab.profile.mode).toBe("idle");
  });

  it.each(["", "x".repeat(1_025), 7])("key of %j", async (key) => {
    await expect(tab.profile.operations.get(key as string)).rejects.toThrow(TypeError);
  });
});
