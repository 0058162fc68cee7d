import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectedProfile } from "../../../client/profile.js";
import { createTestLockManager } from "../../../src/testing/locks.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, linger, pass, stopTime, until } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";

let world: World;
let other: TestTab;

beforeEach(() => {
  stopTime();
  world = new World();
  other = world.tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const refused = { code: "coordination_unavailable" };
const intent = { signal: new AbortController().signal, tool: "cancel_order" };

/** A tab that lives on after a deploy has removed its worker's script. */
async function outdatedTab() {
  const page = world.page();
  let removed = false;
  const attempts = vi.fn(() => {
    if (removed) throw new Error("404");
    return page.worker();
  });
  const profile = page.run(
    () => new ConnectedProfile({ namespace: "shop", helloTimeoutMs: 5_000, worker: attempts }),
  );
  await profile.ready();
  const deploy = () => {
    removed = true;
    attempts.mockClear();
    world.killWorker();
  };
  return { profile, attempts, deploy };
}

/** What a tab that lives on, and has no worker, can leave unsaid. */
const cases: [string, () => ReturnType<typeof outdatedTab>][] = [
  [
    "whose release can't be sent",
    async () => {
      const outdated = await outdatedTab();
      await outdated.profile.idempotency.begin("k", intent);
      outdated.deploy();
      const release = outdated.profile.idempotency.release("k", intent);
      await expect(inTime(Promise.resolve(release))).rejects.toMatchObject(refused);
      return outdated;
    },
  ],
  [
    "whose refused call may have been granted",
    async () => {
      const outdated = await outdatedTab();
      onClaim(outdated.deploy);
      const begun = Promise.resolve(outdated.profile.idempotency.begin("k", intent));
      await expect(inTime(begun)).rejects.toMatchObject(refused);
      return outdated;
    },
  ],
];

describe.each(cases)("a tab without a worker %s", (_, leave) => {
  it("gives up its key, so that others learn that its outcome is unknown", async () => {
    await leave();
    await expect(inTime(other.call("k", world.authority))).rejects.toMatchObject({
      code: "outcome_unknown",
    });
  });

  it("gives up its key, so that others recover it if they can", async () => {
    await leave();
    const recover = () => ({ recovered: false, outcome: "not_applied" }) as const;
    const { execute } = world.authority;
    expect(await inTime(other.call("k", { execute, recover }))).toEqual({ receipt: "k 1" });
  });

  it("does not start workers for ever", async () => {
    const { attempts } = await leave();
    await pass(30_000);
    expect(await world.signsOfLife()).toEqual([]);
    attempts.mockClear();
    await pass(60_000);
    expect(attempts).not.toHaveBeenCalled();
  });
});

describe.each([
  ["is disposed", true],
  ["stays in use", false],
])(
  "a refused call's withdrawal, of a profile that %s, in a page that returns from the cache",
  (_, disposed) => {
    /** The worker dies with the grant, and the call that is issued again finds the disk full. */
    async function withdrawing(): Promise<void> {
      const tab = world.tab();
      await tab.profile.ready();
      onClaim(() => {
        world.killWorker();
        world.storage.refuses = (writes) => writes.includes("claimed");
      });
      await expect(inTime(tab.call("k", world.authority))).rejects.toMatchObject(refused);
      if (disposed) tab.profile.close();
      tab.page.leaveCache();
    }

    it("frees the key once there is space", async () => {
      await withdrawing();
      world.storage.refuses = () => false;
      await until(async () => (await world.record("k")) === undefined);
      await linger();
      expect(await world.signsOfLife()).toEqual([]);
    });

    it("ends without it too, and leaves no lock", async () => {
      await withdrawing();
      await pass(30_000);
      expect(await world.signsOfLife()).toEqual([]);
      const requests = vi.spyOn(Object.getPrototypeOf(createTestLockManager()), "request");
      await pass(60_000);
      expect(requests).not.toHaveBeenCalled();
    });
  },
);

/** Happens once a claim is committed, before anybody learns of it. */
function onClaim(happen: () => void): void {
  world.storage.committed = (writes) => {
    if (!writes.includes("claimed")) return;
    world.storage.committed = () => {};
    happen();
  };
}
