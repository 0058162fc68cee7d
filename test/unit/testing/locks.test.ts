import { describe, expect, test } from "vitest";
import { createTestLockManager } from "../../../src/testing/index.js";
import { hold, noting, settled } from "./holding.js";

describe("a request", () => {
  test("gets the lock's name and mode, and gives what its callback gives", async () => {
    const locks = createTestLockManager();
    const plain = await locks.request("lock", async (lock) => ({ ...lock }));
    expect(plain).toEqual({ name: "lock", mode: "exclusive" });
    expect(await locks.request("lock", { mode: "shared" }, (lock) => lock?.mode)).toBe("shared");
  });

  test("rejects with its callback's error and frees the lock", async () => {
    const locks = createTestLockManager();
    const error = new Error("the callback's");
    const throwing = locks.request("lock", () => {
      throw error;
    });
    await expect(throwing).rejects.toBe(error);
    await expect(locks.request("lock", () => Promise.reject(error))).rejects.toBe(error);
    expect(await locks.request("lock", () => "free")).toBe("free");
  });

  test("never runs its callback before it returns", async () => {
    const locks = createTestLockManager();
    let ran = false;
    const request = locks.request("lock", () => {
      ran = true;
    });
    expect(ran).toBe(false);
    await request;
    expect(ran).toBe(true);
  });

  const aborted = AbortSignal.abort();
  const refusals: [what: string, name: string, options: LockOptions, error: string][] = [
    ["a name that starts with a dash", "-lock", {}, "NotSupportedError"],
    ["steal and ifAvailable", "lock", { steal: true, ifAvailable: true }, "NotSupportedError"],
    ["steal of a shared lock", "lock", { steal: true, mode: "shared" }, "NotSupportedError"],
    ["steal with a signal", "lock", { steal: true, signal: aborted }, "NotSupportedError"],
    [
      "ifAvailable with a signal",
      "lock",
      { ifAvailable: true, signal: aborted },
      "NotSupportedError",
    ],
    ["an aborted signal", "lock", { signal: aborted }, "AbortError"],
  ];

  test.for(refusals)("with %s is refused", async ([, name, options, error]) => {
    const locks = createTestLockManager();
    await expect(locks.request(name, options, () => "granted")).rejects.toMatchObject({
      name: error,
    });
    expect(await locks.query()).toEqual({ held: [], pending: [] });
  });

  test("with no callback or no real mode is a TypeError", async () => {
    const locks: { request(...parameters: unknown[]): Promise<unknown> } = createTestLockManager();
    await expect(locks.request("lock")).rejects.toThrow(TypeError);
    await expect(locks.request("lock", { mode: "greedy" }, () => {})).rejects.toThrow(TypeError);
  });
});

describe("turns", () => {
  test("are taken first come, first served, and shared requests do not overtake", async () => {
    const locks = createTestLockManager();
    const log: string[] = [];
    const note = noting(log);
    const { release } = await hold(locks, "lock", { mode: "shared" });
    const requests = [
      note(locks, "exclusive"),
      note(locks, "shared 1", { mode: "shared" }),
      note(locks, "shared 2", { mode: "shared" }),
      note(locks, "last"),
    ];
    await settled(locks);
    expect(log).toEqual([]);
    release();
    await Promise.all(requests);
    expect(log).toEqual(["exclusive", "shared 1", "shared 2", "last"]);
  });

  test("are shared by shared requests", async () => {
    const locks = createTestLockManager();
    const first = await hold(locks, "lock", { mode: "shared" });
    const second = await hold(locks, "lock", { mode: "shared" });
    const third = locks.request("lock", () => "alone");
    first.release();
    await first.ended;
    expect(await locks.query()).toMatchObject({ held: [{}], pending: [{}] });
    second.release();
    expect(await third).toBe("alone");
  });

  test("of different names are independent", async () => {
    const locks = createTestLockManager();
    await hold(locks, "one");
    expect(await locks.request("other", () => "free")).toBe("free");
  });
});

describe("ifAvailable", () => {
  test("gives null while somebody holds the lock, and the lock when nobody does", async () => {
    const locks = createTestLockManager();
    const options = { ifAvailable: true };
    const { release, ended } = await hold(locks, "lock");
    expect(await locks.request("lock", options, (lock) => lock)).toBeNull();
    release();
    await ended;
    expect(await locks.request("lock", options, (lock) => lock?.name)).toBe("lock");
  });

  test("gives null to a shared request behind a waiting exclusive one", async () => {
    const locks = createTestLockManager();
    const { release } = await hold(locks, "lock", { mode: "shared" });
    const waiting = locks.request("lock", () => {});
    const options: LockOptions = { ifAvailable: true, mode: "shared" };
    expect(await locks.request("lock", options, (lock) => lock)).toBeNull();
    release();
    await waiting;
  });

  test("rejects with the error of a callback that got nothing", async () => {
    const locks = createTestLockManager();
    await hold(locks, "lock");
    const request = locks.request("lock", { ifAvailable: true }, () => {
      throw new Error("busy");
    });
    await expect(request).rejects.toThrow("busy");
  });
});

describe("an abort", () => {
  test("takes a waiting request out of the queue, with the signal's reason", async () => {
    const locks = createTestLockManager();
    const { release } = await hold(locks, "lock", { mode: "shared" });
    const stop = new AbortController();
    const reason = new Error("enough");
    const left = locks.request("lock", { signal: stop.signal }, () => "granted");
    const behind = locks.request("lock", { mode: "shared" }, () => "behind");
    stop.abort(reason);
    await expect(left).rejects.toBe(reason);
    expect(await behind).toBe("behind");
    release();
  });

  test("between the grant and its callback still counts, and the next one is served", async () => {
    const locks = createTestLockManager();
    const stop = new AbortController();
    const granted = locks.request("lock", { signal: stop.signal }, () => "granted");
    const next = locks.request("lock", () => "next");
    stop.abort("enough");
    await expect(granted).rejects.toBe("enough");
    expect(await next).toBe("next");
  });

  test("of a lock that is held changes nothing", async () => {
    const locks = createTestLockManager();
    const stop = new AbortController();
    const { release, ended } = await hold(locks, "lock", { signal: stop.signal });
    stop.abort();
    expect((await locks.query()).held).toHaveLength(1);
    release();
    await ended;
  });
});

describe("steal", () => {
  test("takes the lock from its holder before everyone who waits", async () => {
    const locks = createTestLockManager();
    const log: string[] = [];
    const { release, ended } = await hold(locks, "lock");
    const waiter = noting(log)(locks, "waiter");
    const thief = await hold(locks, "lock", { steal: true });
    await expect(ended).rejects.toMatchObject({ name: "AbortError" });
    release();
    await settled(locks);
    expect(log).toEqual([]);
    thief.release();
    await waiter;
    expect(log).toEqual(["waiter"]);
  });

  test("takes a free lock as any request does", async () => {
    const locks = createTestLockManager();
    expect(await locks.request("lock", { steal: true }, (lock) => lock?.name)).toBe("lock");
  });
});
