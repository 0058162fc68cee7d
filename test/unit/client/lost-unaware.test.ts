import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { greet } from "../../../client/connection.js";
import { termsOf } from "../../../client/terms.js";
import { systemClock } from "../../../src/clock.js";
import type { Invocation } from "../../support/world/authority.js";
import { inTime, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { gate, never } from "../runtime/tab.js";
import { ask, sharedJournal } from "./calls.js";

beforeEach(() => stopTime());
afterEach(() => void vi.useRealTimers());

it("a person who approves before the tab learns of its loss costs the next owner no journal entry", async () => {
  const world = new World();
  const [tab, other] = [world.tab(), world.tab()];
  const tool = { ...world.authority, journal: { store: sharedJournal() } };
  const { call, resume } = await ask(tab, "k", tool);
  tab.page.standStill();
  await world.takeLocks(tab);
  const applied = gate();
  const hanging = async (invocation: Invocation) => {
    await world.authority.execute(invocation);
    applied.open();
    return never();
  };
  void other.call("k", { ...tool, execute: hanging });
  await applied.opened;

  resume();
  await expect(call).rejects.toMatchObject({ code: "claim_lost" });
  other.page.crash();
  expect(await inTime(world.tab().call("k", tool))).toEqual({ receipt: "k 1" });
  expect(world.authority.effects("k")).toBe(1);
});

it("a worker that is noticed to be gone by two signs is lost once", async () => {
  const { port } = new World().page().worker();
  const failed = new Promise<never>(() => {});
  const close = vi.fn();
  const connection = await greet(
    { port, failed, inPage: false, close },
    {
      ...{ namespace: "shop", terms: termsOf({}), helloTimeoutMs: 5_000, clock: systemClock },
      signal: new AbortController().signal,
    },
  );
  connection.close();
  expect(() => connection.close()).not.toThrow();
  expect(close).toHaveBeenCalledTimes(1);
});
