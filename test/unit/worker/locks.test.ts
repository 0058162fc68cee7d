import { beforeEach, describe, expect, it } from "vitest";
import { hold, TestLocks } from "../../support/locks.js";

let locks: TestLocks;
let order: string[];

beforeEach(() => {
  locks = new TestLocks();
  order = [];
});

const ask = (who: string, mode: LockMode, signal?: AbortSignal) =>
  locks.request("a", { mode, ...(signal && { signal }) }, () => void order.push(who));

describe("the lock manager of these tests, as the specification has it,", () => {
  it("serves requests in their order, shared ones behind an exclusive one too", async () => {
    const release = await hold(locks, "a");
    const asked = [ask("1", "shared"), ask("2", "exclusive"), ask("3", "shared")];
    expect(await locks.query()).toEqual({
      held: [{ name: "a", mode: "exclusive" }],
      pending: ["shared", "exclusive", "shared"].map((mode) => ({ name: "a", mode })),
    });
    release();
    await Promise.all(asked);
    expect(order).toEqual(["1", "2", "3"]);
    expect(await locks.query()).toEqual({ held: [], pending: [] });
  });

  it("grants shared requests together, and locks of other names at any time", async () => {
    await hold(locks, "b");
    await new Promise<void>((both) => {
      let held = 0;
      for (const _ of [1, 2]) {
        void locks.request("a", { mode: "shared" }, () => {
          held += 1;
          if (held === 2) both();
          return new Promise(() => {});
        });
      }
    });
  });

  it("forgets a request whose signal aborts, and refuses one that comes with such a signal", async () => {
    const release = await hold(locks, "a");
    const leaving = new AbortController();
    const left = ask("left", "exclusive", leaving.signal);
    const behind = ask("behind", "exclusive");
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(ask("late", "exclusive", leaving.signal)).rejects.toThrow("gone");
    release();
    await behind;
    expect(order).toEqual(["behind"]);
  });

  it("gives the result or the error of the callback, once the lock is free", async () => {
    expect(await locks.request("a", () => 7)).toBe(7);
    const failing = locks.request("a", () => Promise.reject(new Error("bad")));
    await expect(failing).rejects.toThrow("bad");
    expect((await locks.query()).held).toEqual([]);
  });

  it("passes a lock on when its holder dies", async () => {
    await hold(locks, "a");
    const heir = ask("heir", "shared");
    locks.kill("a");
    await heir;
    expect(order).toEqual(["heir"]);
  });
});
