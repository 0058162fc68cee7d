import { beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { claim, intended, queued, type Tab, World } from "./world.js";

let world: World;
let coordinator: Coordinator;
let owner: Tab;
let other: Tab;

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  owner = await world.tab("owner");
  other = await world.tab("other");
});

const everything = { state: undefined, prefix: "", limit: 100, cursor: undefined };
const get = (key = "order-1", output = false) => coordinator.reviewer.get(key, { output });
const list = async (over: Partial<Parameters<Coordinator["reviewer"]["list"]>[0]> = {}) =>
  coordinator.reviewer.list({ ...everything, ...over });

/** Completes an operation under each key. */
async function complete(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const ref = await claim(coordinator, owner.asks(key, { key }));
    await coordinator.complete(intended(ref), { receipt: key });
  }
}

describe("what is told of an operation", () => {
  it("is where it stands, who owns it and who waits, and nothing that belongs to the call", async () => {
    const asked = owner.asks("a", { reserve: true, fingerprint: "f", journalKey: "j" });
    const ref = await claim(coordinator, asked);
    await queued(coordinator, other.asks("b", { fingerprint: "f" }));
    expect(await get()).toEqual({
      key: "order-1",
      tool: "cancel_order",
      state: "claimed",
      phase: "reserved",
      takeover: false,
      fence: ref.fence,
      executed: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      ageMs: expect.any(Number),
      owner: { id: "owner", alive: true },
      waiters: 1,
      attempts: 0,
    });
  });

  it("is an output only where it was asked for", async () => {
    await complete("order-1");
    expect(await get()).not.toHaveProperty("output");
    expect(await get("order-1", true)).toMatchObject({
      state: "completed",
      executed: true,
      output: { receipt: "order-1" },
    });
    for (const info of (await list()).operations) expect(info).not.toHaveProperty("output");
  });

  it("is nothing for a free key", async () => {
    expect(await get()).toBeUndefined();
    expect(await list()).toEqual({ operations: [] });
  });

  it("says how often recovery has not decided, until it did", async () => {
    const first = await claim(coordinator, owner.asks("a"));
    await coordinator.abandon(first, { executed: false });
    expect(await get()).toMatchObject({ state: "in_doubt", attempts: 0 });
    const second = await claim(coordinator, owner.asks("b"));
    await coordinator.abandon(second, { executed: false });
    expect(await get()).toMatchObject({ state: "in_doubt", attempts: 1 });
    const third = await claim(coordinator, owner.asks("c"));
    expect(await get()).toMatchObject({ state: "claimed", takeover: true, attempts: 1 });
    await coordinator.start(third, { fresh: true });
    expect(await get()).toMatchObject({ takeover: false, attempts: 0 });
  });
});

describe("an owner that is gone", () => {
  it("is found by whoever looks, though nobody asks for its key", async () => {
    const gone = await world.tab("gone");
    await claim(coordinator, gone.asks("a"));
    const later = world.coordinator();
    const look = () => later.reviewer.get("order-1", { output: false });
    expect(await look()).toMatchObject({ state: "claimed", owner: { id: "gone", alive: true } });
    gone.die();
    await expect.poll(look).toMatchObject({ state: "in_doubt" });
  });

  it("is said to be gone while the record still names it", async () => {
    const gone = await world.tab("gone");
    await claim(coordinator, gone.asks("a"));
    gone.die();
    // Read before anybody has been granted the lock.
    expect(await get()).toMatchObject({ state: "claimed", owner: { id: "gone", alive: false } });
  });
});

describe("a review of what an owner that is gone has left", () => {
  const review = { id: "r", label: undefined, fence: undefined, completedMs: 1_000 };

  it.each(["resolve", "purge"] as const)(
    "finds the doubt, though no worker knew of it: %s",
    async (kind) => {
      const gone = await world.tab("gone");
      await claim(coordinator, gone.asks("a"));
      coordinator.close();
      gone.die();
      const { reviewer } = world.coordinator();
      if (kind === "resolve") {
        const resolution = { outcome: "completed", output: 7 } as const;
        expect(await reviewer.resolve("order-1", { resolution, ...review })).toEqual({
          state: "resolved",
        });
      } else {
        expect(await reviewer.purge({ key: "order-1" }, { inDoubt: true })).toMatchObject({
          purged: 1,
          live: [],
        });
      }
    },
  );
});

describe("a list", () => {
  it("goes on with its cursor until there is no more", async () => {
    await complete("a-1", "a-2", "a-3", "b-1");
    const first = await list({ prefix: "a-", limit: 2 });
    expect(first.operations.map(({ key }) => key)).toEqual(["a-1", "a-2"]);
    const second = await list({ prefix: "a-", limit: 2, cursor: first.cursor });
    expect(second.operations.map(({ key }) => key)).toEqual(["a-3"]);
    expect(second).not.toHaveProperty("cursor");
    expect(await list({ prefix: "a-", limit: 3 })).not.toHaveProperty("cursor");
  });

  it("of one state has no others", async () => {
    await complete("done");
    await claim(coordinator, owner.asks("open", { key: "open" }));
    const keysOf = async (state: "claimed" | "completed" | "in_doubt") =>
      (await list({ state })).operations.map(({ key }) => key);
    expect(await keysOf("completed")).toEqual(["done"]);
    expect(await keysOf("claimed")).toEqual(["open"]);
    expect(await keysOf("in_doubt")).toEqual([]);
  });
});
