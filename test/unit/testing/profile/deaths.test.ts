import { expect, it } from "vitest";
import { Shop, stop } from "./support.js";

it("four tabs that call at once get one effect's answer", async () => {
  const shop = new Shop({ tabs: 4 });
  const tabs = await Promise.all([0, 1, 2, 3].map((index) => shop.open(index)));
  const answers = await Promise.all(tabs.map((tab) => tab.invoke("cancel_order", { id: "17" })));
  expect(answers).toEqual(Array(4).fill({ receipt: 1 }));
  expect(shop.effects).toEqual(["17"]);
});

it("the owner crashes after its effect, and the others recover it", async () => {
  const shop = new Shop({ tabs: 3 });
  const [owner, ...others] = await Promise.all([0, 1, 2].map((index) => shop.open(index)));
  const { here, reached } = stop();
  shop.afterEffect = here;
  const lost = owner?.invoke("cancel_order", { id: "17" });
  await reached;
  const answers = others.map((tab) => tab.invoke("cancel_order", { id: "17" }));
  await shop.profile.quiescent();
  owner?.crash();
  await expect(lost).rejects.toMatchObject({ name: "AbortError", message: "Tab 0 has crashed." });
  expect(await Promise.all(answers)).toEqual([{ receipt: 1 }, { receipt: 1 }]);
  expect(shop.effects).toEqual(["17"]);
});

it("the worker is killed in the middle, and the call goes on", async () => {
  const shop = new Shop();
  const tab = await shop.open(0);
  const other = await shop.open(1);
  const { here, reached, goOn } = stop();
  shop.afterEffect = here;
  const first = tab.invoke("cancel_order", { id: "17" });
  await reached;
  const second = other.invoke("cancel_order", { id: "17" });
  await shop.profile.quiescent();
  shop.profile.worker.kill();
  await shop.profile.quiescent();
  goOn();
  expect(await Promise.all([first, second])).toEqual([{ receipt: 1 }, { receipt: 1 }]);
  expect(shop.effects).toEqual(["17"]);
});

it("a frozen owner keeps its key; who waits too long is told, and gets the answer after the thaw (C048, supabase/supabase-js#2178; C051, dxos/dxos#11757)", async () => {
  const shop = new Shop();
  const owner = await shop.open(0);
  const other = await shop.open(1);
  const { here, reached, goOn } = stop();
  shop.afterEffect = here;
  const first = owner.invoke("cancel_order", { id: "17" });
  await reached;
  owner.freeze();
  goOn();
  const tooLong = other.invoke("cancel_order", { id: "17" });
  const refused = expect(tooLong).rejects.toMatchObject({ code: "operation_in_progress" });
  await shop.profile.clock.advance(60_000);
  await refused;
  owner.thaw();
  expect(await first).toEqual({ receipt: 1 });
  expect(await other.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
  expect(shop.effects).toEqual(["17"]);
});

it("a frozen tab costs the others nothing: they connect and call without it (C054, powersync-ja/powersync-js#498)", async () => {
  const shop = new Shop({ tabs: 3 });
  const [first, other] = [await shop.open(0), await shop.open(1)];
  await first.invoke("cancel_order", { id: "17" });
  first.freeze();
  expect(await other.invoke("cancel_order", { id: "18" })).toEqual({ receipt: 2 });
  const later = await shop.open(2);
  expect(await later.invoke("cancel_order", { id: "17" })).toEqual({ receipt: 1 });
  expect(shop.effects).toEqual(["17", "18"]);
});
