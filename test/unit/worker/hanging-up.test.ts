import * as Comlink from "comlink";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { PROTOCOL } from "../../../worker/names.js";
import type { CoordinatorApi } from "../../../worker/protocol.js";
import { createSession } from "../../../worker/session.js";
import { claim, queued, type Tab, World } from "./world.js";

let world: World;
let coordinator: Coordinator;
let tab: Tab;
/** The line that is let go. */
const line = {};

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  tab = await world.tab("tab");
});

describe("a page that lets go of its line", () => {
  it("keeps no key for a call that it has issued again elsewhere (a worker that hung goes on)", async () => {
    const goOn = world.pause();
    const begun = coordinator.begin(tab.asks("a"), line);
    coordinator.hangUp(line);
    goOn();
    await begun;
    await expect.poll(() => world.record()).toBeUndefined();
  });

  it("waits no more, and the next caller is not kept waiting by it", async () => {
    const owner = await world.tab("owner");
    const ref = await claim(coordinator, owner.asks("a"));
    expect(await coordinator.begin(tab.asks("b"), line)).toEqual({ state: "waiting" });
    const other = await world.tab("other");
    await queued(coordinator, other.asks("c"));
    const next = coordinator.wait("c");
    coordinator.hangUp(line);
    await coordinator.release(ref);
    expect(await next).toMatchObject({ state: "granted" });
    expect(await world.record()).toMatchObject({ call: "c" });
  });

  it("keeps what it was told of", async () => {
    await coordinator.begin(tab.asks("a"), line);
    coordinator.hangUp(line);
    expect(await world.record()).toMatchObject({ state: "claimed", call: "a" });
  });

  it("disturbs no other line of its tab", async () => {
    const goOn = world.pause();
    const begun = coordinator.begin(tab.asks("a"), {});
    coordinator.hangUp(line);
    goOn();
    expect(await begun).toMatchObject({ state: "granted" });
  });

  it("says so by releasing its proxy", async () => {
    const { port1, port2 } = new MessageChannel();
    const session = createSession({ instance: "run", coordinate: async () => coordinator });
    Comlink.expose(session, port1);
    const remote = Comlink.wrap<CoordinatorApi>(port2);
    const terms = { durability: "strict", completedMs: 60_000, maxCompleted: 10 } as const;
    await remote.hello({ protocol: PROTOCOL, namespace: "shop", terms });
    const goOn = world.pause();
    const { transactions } = world;
    const hungUp = vi.spyOn(coordinator, "hangUp");
    void remote.begin(tab.asks("a"));
    await expect.poll(() => world.transactions).toBeGreaterThan(transactions);
    remote[Comlink.releaseProxy]();
    await expect.poll(() => hungUp.mock.calls.length).toBe(1);
    goOn();
    await expect.poll(() => world.record()).toBeUndefined();
    port1.close();
    port2.close();
  });
});
