import { createTestProfile } from "signett/testing";
import { expect, it } from "vitest";
import { Shop, stop } from "./support.js";

it("a full disk at the claim costs no effect, and the next call runs it", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  const full = new DOMException("The disk is full.", "QuotaExceededError");
  shop.profile.storage.failNext(full);
  await expect(tab.invoke("cancel_order", { id: "17" })).rejects.toMatchObject({
    code: "coordination_unavailable",
    cause: { name: "QuotaExceededError" },
  });
  expect(shop.effects).toEqual([]);
  expect(await tab.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
});

it("a full disk at the result costs the caller nothing, and the next one recovers the same answer", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  shop.afterEffect = async () =>
    shop.profile.storage.failNext(new DOMException("The disk is full.", "QuotaExceededError"));
  expect(await tab.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
  const other = await shop.open(1);
  expect(await other.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
  expect(shop.effects).toEqual(["17"]);
});

it("a reloaded tab has no tools until its application exposes them again", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  const { here, reached } = stop();
  shop.beforeEffect = here;
  const lost = tab.invoke("cancel_order", { id: "17" });
  await reached;
  tab.reload();
  await expect(lost).rejects.toThrow("Tab 0 was reloaded.");
  expect(tab.tools()).toEqual([]);
  shop.beforeEffect = async () => {};
  await shop.open(0);
  expect(tab.tools().map(({ name }) => name)).toEqual(["cancel_order"]);
  expect(await tab.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
  expect(shop.effects).toEqual(["17"]);
});

it("tabs of two builds, each with a worker of its own, converge on one effect (C016, apache/incubator-kie-issues#82)", async () => {
  const shop = new Shop({ tabs: 4, builds: 2 });
  const tabs = await Promise.all([0, 1, 2, 3].map((index) => shop.open(index)));
  const answers = await Promise.all(tabs.map((tab) => tab.invoke("cancel_order", { id: "17" })));
  expect(answers).toEqual(Array(4).fill({ receipt: 1 }));
  expect(shop.effects).toEqual(["17"]);
});

it("a caller who leaves is heard, and one who has left before is refused", async () => {
  const shop = new Shop();
  const owner = await shop.open(0);
  const other = await shop.open(1);
  const { here, reached, goOn } = stop();
  shop.beforeEffect = here;
  const first = owner.invoke("cancel_order", { id: "17" });
  await reached;
  const caller = new AbortController();
  const waiting = other.invoke("cancel_order", { id: "17" }, { signal: caller.signal });
  await shop.profile.quiescent();
  caller.abort(new Error("The caller left."));
  await expect(waiting).rejects.toThrow("The caller left.");
  const late = other.invoke("cancel_order", { id: "17" }, { signal: caller.signal });
  await expect(late).rejects.toThrow("The caller left.");
  goOn();
  expect(await first).toEqual({ receipt: 1 });
});

it("a frozen tab does nothing, not even a call that an agent makes in it", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  tab.freeze();
  const call = tab.invoke("cancel_order", { id: "17" });
  await shop.profile.clock.advance(3_600_000);
  expect(shop.effects).toEqual([]);
  tab.thaw();
  expect(await call).toEqual({ receipt: 1 });
});

it("a handler can take its time on the profile's clock", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  const { clock } = shop.profile;
  shop.beforeEffect = () => new Promise((resolve) => clock.after(5_000, resolve));
  const began = clock.now();
  const call = tab.invoke("cancel_order", { id: "17" });
  await clock.advance(4_999);
  expect(shop.effects).toEqual([]);
  await Promise.all([clock.advance(1), clock.advance(10)]);
  expect(await call).toEqual({ receipt: 1 });
  expect(clock.now() - began).toBe(5_010);
});

it("what is stored can be listed from any tab, in pages", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  for (const id of ["b", "a", "c", "other"]) await tab.invoke("cancel_order", { id });
  const { operations } = shop.profile.tab(1).profile;
  const first = await operations.list({ limit: 2, state: "completed" });
  expect(first.operations.map(({ key }) => key)).toEqual(["a", "b"]);
  const { cursor = "" } = first;
  const rest = await operations.list({ cursor, limit: 2, state: "completed" });
  expect(rest.operations.map(({ key }) => key)).toEqual(["c", "other"]);
  expect((await operations.list({ prefix: "o" })).operations).toHaveLength(1);
  expect((await operations.list({ state: "in_doubt" })).operations).toEqual([]);
});

it("refuses what can't be meant", () => {
  expect(() => createTestProfile({ tabs: 0 })).toThrow(TypeError);
  expect(() => createTestProfile({ builds: 1.5 })).toThrow(TypeError);
  expect(() => createTestProfile({ tabs: 2 }).tab(2)).toThrow(RangeError);
});
