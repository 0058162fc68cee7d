import { beforeEach, describe, expect, it, vi } from "vitest";
import { createTestLockManager, type TestLockManager } from "../../../src/testing/locks.js";
import { Replays } from "../../../stores/replays.js";
import { MemoryLease } from "../../../worker/memory-lease.js";
import { completed } from "../stores/samples.js";

const LOCK = "shop:memory";

let locks: TestLockManager;
let everybody: MemoryLease[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  locks = createTestLockManager();
  everybody = [];
  return () => void vi.useRealTimers();
});

/** One coordinator's memory; `deaf` ones hear no announcement. */
function coordinator({ deaf = false } = {}) {
  const replays = new Replays();
  const lease = new MemoryLease({
    wanted: true,
    replays,
    locks: locks.client(),
    lockName: LOCK,
    clock: { now: Date.now, after: afterFaked },
    announcePurge: () => {
      for (const other of everybody) if (other !== lease) other.yield();
    },
  });
  if (!deaf) everybody.push(lease);
  const keep = () => replays.learn("order-1", completed(), replays.era);
  const keeps = () => replays.find("order-1") !== undefined;
  return { lease, keep, keeps };
}

function afterFaked(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

/** Lets everything happen that needs no time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a coordinator's right to answer from its memory", () => {
  it("comes with the lock, and several can have it", async () => {
    const one = coordinator();
    const two = coordinator();
    one.lease.take();
    two.lease.take();
    one.keep();
    expect(one.keeps()).toBe(false);
    await settle();
    one.keep();
    two.keep();
    expect([one.keeps(), two.keeps()]).toEqual([true, true]);
  });

  it("is gone everywhere when a purge runs, and comes back later", async () => {
    const one = coordinator();
    const two = coordinator();
    for (const { lease, keep } of [one, two]) {
      lease.take();
      await settle();
      keep();
    }
    const seen = await one.lease.alone(async () => [one.keeps(), two.keeps()]);
    expect(seen).toEqual([false, false]);
    two.lease.take();
    await settle();
    two.keep();
    expect(two.keeps()).toBe(false);
    vi.advanceTimersByTime(1_000);
    two.lease.take();
    await settle();
    two.keep();
    expect(two.keeps()).toBe(true);
  });

  it("is not taken again while a purge runs", async () => {
    const one = coordinator();
    let end = () => {};
    const purge = one.lease.alone(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await settle();
    one.lease.take();
    await settle();
    one.keep();
    expect(one.keeps()).toBe(false);
    end();
    await purge;
    await settle();
    one.keep();
    expect(one.keeps()).toBe(true);
  });

  it("that a coordinator does not give back stops the purge, which says so", async () => {
    const hung = coordinator({ deaf: true });
    hung.lease.take();
    await settle();
    const purge = vi.fn();
    const purging = coordinator().lease.alone(purge);
    await settle();
    vi.advanceTimersByTime(5_000);
    await expect(purging).rejects.toMatchObject({ name: "TimeoutError" });
    expect(purge).not.toHaveBeenCalled();
  });

  it("ends with whoever had it, so that a dead worker stops nobody", async () => {
    const dead = locks.client();
    void dead.request(LOCK, { mode: "shared" }, () => new Promise(() => {}));
    await settle();
    const purging = coordinator().lease.alone(async () => "purged");
    dead.crash();
    expect(await purging).toBe("purged");
  });

  it("is lost with the lock, whoever takes it", async () => {
    const one = coordinator();
    one.lease.take();
    await settle();
    one.keep();
    await locks.client().request(LOCK, { steal: true }, () => {});
    await settle();
    expect(one.keeps()).toBe(false);
  });

  it("can be given back before it came", async () => {
    const one = coordinator();
    one.lease.take();
    one.lease.release();
    await settle();
    one.keep();
    expect(one.keeps()).toBe(false);
    expect((await locks.query()).held).toEqual([]);
  });
});
