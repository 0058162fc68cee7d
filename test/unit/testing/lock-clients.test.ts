import { describe, expect, test } from "vitest";
import { createTestLockManager } from "../../../src/testing/index.js";
import { hold, noting, settled } from "./holding.js";

describe("query", () => {
  test("names holders and waiters of every client, in order", async () => {
    const locks = createTestLockManager();
    const tab = locks.client("tab");
    const { release } = await hold(tab, "lock");
    const requests = [
      locks.request("lock", { mode: "shared" }, () => {}),
      tab.request("lock", () => {}),
    ];
    expect(await locks.query()).toEqual({
      held: [{ name: "lock", mode: "exclusive", clientId: "tab" }],
      pending: [
        { name: "lock", mode: "shared", clientId: "main" },
        { name: "lock", mode: "exclusive", clientId: "tab" },
      ],
    });
    release();
    await Promise.all(requests);
    expect(await tab.query()).toEqual({ held: [], pending: [] });
  });

  test("tells clients apart that were given no name", () => {
    const locks = createTestLockManager();
    expect([locks.client().clientId, locks.client().clientId]).toEqual(["client 1", "client 2"]);
  });
});

describe("a crash", () => {
  test("frees what the client holds and drops what it waits for", async () => {
    const locks = createTestLockManager();
    const [dead, other] = [locks.client(), locks.client()];
    const log: string[] = [];
    const { release } = await hold(dead, "lock");
    await hold(other, "busy");
    const never = [dead.request("busy", () => log.push("busy")), noting(log)(dead, "dead")];
    for (const request of never) request.then(() => log.push("settled"));
    const waiter = noting(log)(other, "waiter");
    dead.crash();
    dead.crash();
    await waiter;
    release();
    await settled(other);
    expect(log).toEqual(["waiter"]);
    expect((await locks.query()).pending).toEqual([]);
    await expect(dead.request("lock", () => {})).rejects.toMatchObject({
      name: "InvalidStateError",
    });
  });

  test("between the grant and its callback leaves the callback out", async () => {
    const locks = createTestLockManager();
    const dead = locks.client();
    const log: string[] = [];
    noting(log)(dead, "dead");
    dead.crash();
    await noting(log)(locks, "next");
    expect(log).toEqual(["next"]);
  });
});
