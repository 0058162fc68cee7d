import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTime, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { enter, wait } from "./calls.js";

beforeEach(() => {
  stopTime();
  vi.spyOn(console, "warn").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it("a handler that calls its own key is told in development that it waits for itself, and ends by its time-out", async () => {
  const world = new World();
  const tab = world.tab();
  const inner = { ...world.authority, name: "calls_itself", waitTimeoutMs: 1_000 };
  const outer = tab.call("k", { ...inner, execute: () => tab.call("k", inner) });
  await expect(inTime(outer)).rejects.toMatchObject({ code: "operation_in_progress" });
  await expect(inTime(tab.call("k", { ...inner, execute: () => tab.call("k", inner) })))
    .rejects // a second one is not told again
    .toMatchObject({ code: "operation_in_progress" });
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [expect.stringMatching(/"calls_itself" waits for the key "k".*waits for itself/)],
  ]);
});

it("a call that waits for another tab is not warned of", async () => {
  const world = new World();
  const owner = await enter(world.tab(), "k", world.authority);
  const waiter = await wait(world.tab(), "k", world.authority);
  owner.resume();
  await inTime(waiter.call);
  expect(console.warn).not.toHaveBeenCalled();
});

it("users of a production build are not warned", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const world = new World();
  const tab = world.tab();
  const tool = { ...world.authority, name: "in_production" };
  const owner = await enter(tab, "k", tool);
  const waiter = await wait(tab, "k", tool);
  owner.resume();
  await inTime(waiter.call);
  expect(console.warn).not.toHaveBeenCalled();
});
