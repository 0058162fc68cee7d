import { beforeEach, describe, expect, it } from "vitest";
import { indexedDbDatabase } from "../../../stores/database.js";
import { Operations } from "../../../stores/operations.js";
import type { BeginAnswer, BeginRequest, ClaimRef, Granted } from "../../../stores/records.js";
import { emptyStorage } from "./indexeddb.js";
import { request } from "./samples.js";

beforeEach(emptyStorage);

const operations = () => new Operations(indexedDbDatabase("shop"));

async function begin(
  on: Operations,
  asked: Partial<BeginRequest> = {},
  waited = false,
): Promise<BeginAnswer> {
  const whole = request(asked);
  const [answered] = await on.begin(whole.key, [{ request: whole, waited }]);
  if (!answered) throw new Error("The caller got no answer.");
  return answered[1];
}

async function claim(
  on: Operations,
  asked: Partial<BeginRequest> = {},
): Promise<ClaimRef & Granted> {
  const answer = await begin(on, asked);
  if (answer.state !== "granted") throw new Error(`The key is ${answer.state}.`);
  const { key, call } = request(asked);
  return { ...answer, key, call };
}

const intent = { tool: "cancel_order", fingerprint: undefined };
const settled = { state: "settled" };
const lost = { state: "lost" };

describe("a profile's operations", () => {
  it("are those of every coordinator, because they live in the database", async () => {
    const [one, two] = [operations(), operations()];
    const first = await claim(one, { call: "a" });
    expect(await begin(two, { call: "b" })).toMatchObject({
      state: "held",
      claim: { fence: first.fence, call: "a", owner: "my-lock" },
    });
    expect(await two.complete({ ...first, ...intent }, { receipt: 1 })).toEqual(settled);
    expect(await begin(operations(), { call: "c" })).toEqual({
      state: "completed",
      output: { receipt: 1 },
      fence: first.fence,
    });
  });

  it("replay an output that is undefined", async () => {
    const on = operations();
    await on.complete({ ...(await claim(on)), ...intent }, undefined);
    expect(await begin(on, { call: "b" })).toEqual({
      state: "completed",
      output: undefined,
      fence: 1,
    });
    expect(await on.completed({ key: "order-1", ...intent })).toEqual({ output: undefined });
  });

  it("give an output only to the same tool and intent", async () => {
    const on = operations();
    const first = await claim(on, { fingerprint: "f" });
    const wanted = { key: first.key, tool: "cancel_order", fingerprint: "f" };
    expect(await on.completed(wanted)).toBeUndefined();
    await on.complete({ ...first, ...wanted }, 1);
    expect(await on.completed(wanted)).toEqual({ output: 1 });
    expect(await on.completed({ ...wanted, fingerprint: "g" })).toBeUndefined();
    expect(await on.completed({ ...wanted, tool: "refund_order" })).toBeUndefined();
    expect(await on.completed({ ...wanted, key: "order-2" })).toBeUndefined();
  });

  it("are stamped with the clock that was passed in", async () => {
    const database = indexedDbDatabase("shop");
    await claim(new Operations(database, () => 42));
    const record = await database.transact("relaxed", (rows) => rows.record("order-1"));
    expect(record).toMatchObject({ createdAt: 42, updatedAt: 42 });
  });
});

describe("fences", () => {
  it("come from one counter, across keys, coordinators and releases", async () => {
    const [one, two] = [operations(), operations()];
    const first = await claim(one, { key: "a" });
    const second = await claim(two, { key: "b" });
    await one.release(first);
    const third = await claim(two, { key: "a", call: "again" });
    await two.release(third);
    await two.release(second);
    const fourth = await claim(operations(), { key: "c" });
    expect([first.fence, second.fence, third.fence, fourth.fence]).toEqual([1, 2, 3, 4]);
  });

  it("are not spent on callers that get no claim", async () => {
    const on = operations();
    await claim(on, { call: "a" });
    await begin(on, { call: "b" });
    await begin(on, { call: "c", tool: "refund_order" });
    expect((await claim(on, { key: "order-2" })).fence).toBe(2);
  });

  it("are never used twice, though many keys are claimed at once", async () => {
    const [one, two] = [operations(), operations()];
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, i) => claim(i % 2 ? one : two, { key: `order-${i}` })),
    );
    expect(new Set(claims.map(({ fence }) => fence)).size).toBe(40);
  });
});

describe("the callers of one key", () => {
  it("are decided in their order, the first to come claiming it", async () => {
    const callers = ["a", "b", "c"].map((call) => ({ request: request({ call }), waited: false }));
    const answers = await operations().begin("order-1", callers);
    expect(answers.map(([caller]) => caller)).toEqual(callers);
    expect(answers.map(([, answer]) => answer)).toMatchObject([
      { state: "granted", phase: "started", fence: 1 },
      { state: "held", claim: { call: "a" } },
      { state: "held", claim: { call: "a" } },
    ]);
  });

  it("are each compared with the intent that the first of them claimed", async () => {
    const callers = ["f", "f", "g"].map((fingerprint, i) => ({
      request: request({ call: `${i}`, fingerprint }),
      waited: false,
    }));
    const answers = await operations().begin("order-1", callers);
    expect(answers.map(([, { state }]) => state)).toEqual(["granted", "held", "conflict"]);
  });
});

describe("a journal entry", () => {
  const entry = { entry: { receipt: "r-1" } };

  it("is kept through doubt and a takeover, and goes with the completion", async () => {
    const on = operations();
    const first = await claim(on);
    expect(await on.journal(first, entry)).toEqual(settled);
    await on.abandon(first, { executed: false });
    expect(await on.entry("order-1")).toEqual(entry);
    const second = await claim(on, { call: "b" });
    expect(second.takeover).toBe(true);
    expect(await on.entry("order-1")).toEqual(entry);
    await on.complete({ ...second, ...intent }, 1);
    expect(await on.entry("order-1")).toBeUndefined();
  });

  it("goes with a release, and is cleared by a fresh start of a takeover", async () => {
    const on = operations();
    const released = await claim(on, { key: "a" });
    await on.journal(released, entry);
    await on.release(released);
    expect(await on.entry("a")).toBeUndefined();

    const abandoned = await claim(on, { key: "b" });
    await on.journal(abandoned, entry);
    await on.abandon(abandoned, { executed: false });
    await on.start(await claim(on, { key: "b", call: "two" }), { fresh: true });
    expect(await on.entry("b")).toBeUndefined();
  });

  it("stays when the completion that would remove it is not committed", async () => {
    const database = indexedDbDatabase("shop");
    const on = new Operations(database);
    const first = await claim(on);
    await on.journal(first, entry);
    const uncloneable = () => {};
    await expect(on.complete({ ...first, ...intent }, uncloneable)).rejects.toMatchObject({
      name: "DataCloneError",
    });
    expect(await on.entry("order-1")).toEqual(entry);
    expect(await on.abandon(first, { executed: true })).toEqual(settled);
  });

  it("tells every value from no entry", async () => {
    const on = operations();
    const first = await claim(on);
    for (const value of [null, false, 0, ""]) {
      await on.journal(first, { entry: value });
      expect(await on.entry("order-1")).toEqual({ entry: value });
    }
    expect(await on.journal(first, undefined)).toEqual(settled);
    expect(await on.entry("order-1")).toBeUndefined();
  });

  it("can't be written or removed by a claim that was lost", async () => {
    const on = operations();
    const dead = await claim(on, { call: "a" });
    await on.journal(dead, entry);
    await on.bury({ ...dead, owner: "my-lock" });
    const another = { entry: "too late" };
    expect(await on.journal(dead, another)).toEqual(lost);
    const heir = await claim(on, { call: "b" });
    expect(await on.journal(dead, another)).toEqual(lost);
    expect(await on.journal(dead, undefined)).toEqual(lost);
    expect(await on.journal({ ...heir, call: "a" }, another)).toEqual(lost);
    expect(await on.entry("order-1")).toEqual(entry);
  });
});

describe("a burial", () => {
  it("needs owner, fence and call id, and is done once", async () => {
    const on = operations();
    const dead = { ...(await claim(on)), owner: "my-lock" };
    expect(await on.bury({ ...dead, owner: "another-lock" })).toBe(false);
    expect(await on.bury({ ...dead, fence: dead.fence + 1 })).toBe(false);
    expect(await on.bury({ ...dead, call: "another" })).toBe(false);
    expect(await on.bury(dead)).toBe(true);
    expect(await on.bury(dead)).toBe(false);
    expect(await claim(on, { call: "b" })).toMatchObject({ takeover: true });
  });

  it("of an owner that had only reserved the key frees it", async () => {
    const on = operations();
    const dead = { ...(await claim(on, { reserve: true })), owner: "my-lock" };
    expect(await on.bury(dead)).toBe(true);
    expect(await claim(on, { call: "b" })).toMatchObject({ takeover: false, phase: "started" });
  });
});
