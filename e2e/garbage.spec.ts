import { quiescent, workers } from "signett/testing/playwright";
import type { CoordinatorApi } from "../worker/protocol.js";
import type {} from "./pages/garbage.js";
import { effectsIn, send, setUp } from "./support/desk.js";
import { expect, ready, test } from "./support/test.js";
import { WorkerTools } from "./support/worker-tools.js";

const methods = {
  ...{
    hello: 1,
    ping: 1,
    begin: 1,
    wait: 1,
    leave: 1,
    freeze: 1,
    start: 1,
    complete: 1,
    release: 1,
  },
  ...{ abandon: 1, completed: 1, readEntry: 1, writeEntry: 1, removeEntry: 1, list: 1, get: 1 },
  ...{ changes: 1, unreadable: 1, health: 1, resolve: 1, purge: 1 },
} satisfies Record<keyof CoordinatorApi, 1>;

test("a page that posts 10,000 random messages to the worker gets errors, and harms no other tab", async ({
  context,
  openLab,
}) => {
  test.setTimeout(60_000);
  const tabs = [await setUp(await openLab()), await setUp(await openLab())] as const;
  const [one, two] = tabs;
  for (const tab of tabs) await send(tab, "first");
  const health = () => one.evaluate(() => window.desk.profile.health());
  const { worker } = await health();
  const [running] = await workers(context);
  await quiescent(context);
  const tools = await WorkerTools.of(one);
  const before = await tools.alive();

  const vandal = await context.newPage();
  await vandal.goto("/garbage.html");
  await ready(vandal);
  const posting = vandal.evaluate((garbage) => window.postGarbage(garbage), {
    ...{ url: running?.url ?? "", name: running?.name ?? "", count: 10_000, seed: 1 },
    methods: Object.keys(methods) as (keyof CoordinatorApi)[],
    hello: {
      protocol: 1,
      namespace: "signett",
      terms: { durability: "strict", completedMs: 86_400_000, maxCompleted: 10_000 },
    } as const,
  });
  const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
  const call = (page: typeof one) => Promise.all(keys.map((key) => send(page, key)));
  const [first, second] = await Promise.all([call(one), call(two)]);
  expect(first).toEqual(keys.map((key) => ({ output: expect.objectContaining({ key }) })));
  expect(second).toEqual(first);
  expect((await effectsIn(...tabs)).sort()).toEqual(["first", ...keys].sort());

  const { calls, answers, accepted } = await posting;
  console.log("10,000 random messages:", JSON.stringify({ calls, answers, accepted }));
  expect(calls).toBeGreaterThan(2_000);
  expect(answers.none).toBeUndefined();
  expect(answers.storage).toBeUndefined();
  // What any page of the site may ask for.
  expect(["ping", "health", "freeze", "leave", "readEntry"]).toEqual(
    expect.arrayContaining([...accepted]),
  );
  expect(answers.refused).toBeGreaterThan(calls / 2);
  expect((await health()).worker).toEqual(worker);
  // What a page says of itself when it is cached makes the worker forget its answers: it has some again.
  await send(two, "last");
  await quiescent(context);
  const after = await tools.alive();
  // The page's own line is what stays, with the map of its listeners.
  const { MessagePort: ports = 0, Map: maps = 0 } = before.objects;
  expect(after.objects).toEqual({ ...before.objects, MessagePort: ports + 1, Map: maps + 1 });
});
