import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallOptions, TestTab } from "../../support/world/tab.js";
import { inTime, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { ask, enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;

beforeEach(() => {
  stopTime();
  vi.spyOn(console, "warn").mockReturnValue();
  world = new World();
  tab = world.tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const conflict = { code: "idempotency_conflict", reason: "fingerprint" };

/** Ways in which the other tab is coordinated, and what has happened to the worker since. */
const others: Record<string, () => TestTab> = {
  "another tab": () => world.tab(),
  "a tab that coordinates itself": () => world.localTab(),
  "a tab after the worker was lost": () => {
    world.killWorker();
    return world.tab();
  },
  "a tab after the worker was run again": () => {
    world.rerunWorker();
    return world.tab();
  },
};

describe.each(Object.keys(others))(
  "an equal key with another intent, in %s (C115, aws-powertools/powertools-lambda-typescript#2058)",
  (name) => {
    const other = (): TestTab => others[name]?.() ?? tab;
    const execute = vi.fn(() => "done");
    const asks = (intent: unknown): CallOptions => ({ ...world.authority, intent });
    const conflicting = (): CallOptions => ({ execute, intent: { amount: 4711 } });

    /** The other intent is refused, runs nothing, and is not told what the first one was. */
    async function refuses(call: Promise<unknown>): Promise<void> {
      await expect(inTime(call)).rejects.toMatchObject(conflict);
      await expect(call).rejects.not.toThrow(/4711|k 1|ada/);
      expect(execute).not.toHaveBeenCalled();
    }

    it("is refused when the operation is completed, and the same intent is replayed (C117, aws-powertools/powertools-lambda-python#3821)", async () => {
      const output = await tab.call("k", asks({ amount: 1 }));
      const asking = other();
      await refuses(asking.call("k", conflicting()));
      expect(await inTime(asking.call("k", asks({ amount: 1 })))).toEqual(output);
    });

    it("is refused while a call runs, without waiting for it", async () => {
      const { call, resume } = await enter(tab, "k", asks({ amount: 1 }));
      await refuses(other().call("k", conflicting()));
      resume();
      expect(await inTime(call)).toEqual({ receipt: "k 1" });
    });

    it("is refused while a person is asked", async () => {
      const { call, resume } = await ask(tab, "k", asks({ amount: 1 }));
      await refuses(other().call("k", conflicting()));
      resume();
      expect(await inTime(call)).toEqual({ receipt: "k 1" });
    });

    it("is refused when the operation is in doubt, and leaves it so", async () => {
      const doomed = world.tab();
      await enter(doomed, "k", asks({ amount: 1 }));
      doomed.page.crash();
      await until(async () => (await world.record("k"))?.state === "in_doubt");
      await refuses(other().call("k", conflicting()));
      expect(await world.record("k")).toMatchObject({ state: "in_doubt" });
    });

    it("is refused while the operation is recovered", async () => {
      const doomed = world.tab();
      await enter(doomed, "k", asks({ amount: 1 }));
      doomed.page.crash();
      const recover = vi.fn(() => new Promise<never>(() => {}));
      tab.call("k", { ...asks({ amount: 1 }), recover }).catch(() => {});
      await until(() => recover.mock.calls.length > 0);
      await refuses(other().call("k", conflicting()));
    });
  },
);

it("waiters of one key are each compared with the intent that gets it in the end", async () => {
  const { call, resume } = await ask(tab, "k", { ...world.authority, intent: 1 });
  const same = await wait(world.tab(), "k", { ...world.authority, intent: 1 });
  tab.page.crash();
  resume();
  expect(await inTime(same.call)).toEqual({ receipt: "k 1" });
  await expect(
    inTime(world.tab().call("k", { ...world.authority, intent: 2 })),
  ).rejects.toMatchObject(conflict);
  await Promise.race([call.catch(() => {}), undefined]);
});
