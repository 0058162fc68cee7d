import { beforeEach, describe, expect, it } from "vitest";
import type { Coordinator } from "../../../worker/coordinator.js";
import { answerTo, claim, claimOf, intended, queued, type Tab, World, waitFor } from "./world.js";

let world: World;
let coordinator: Coordinator;
/** One tab, under the lock of its first connection and under that of its second. */
let before: Tab;
let since: Tab;
let other: Tab;

beforeEach(async () => {
  world = new World();
  coordinator = world.coordinator();
  before = await world.tab("before");
  since = await world.tab("since");
  other = await world.tab("other");
});

const again = { attempt: 1 };

describe("a call that is issued again after its answer was lost", () => {
  it("gets the claim that it already has, from the worker's next run too", async () => {
    const ref = await claim(coordinator, before.asks("a", { reserve: true }));
    for (const run of [coordinator, world.coordinator()]) {
      expect(await run.begin(since.asks("a", { ...again, reserve: true }))).toMatchObject({
        state: "granted",
        phase: "reserved",
        fence: ref.fence,
      });
    }
    expect(await world.record()).toMatchObject({ owner: "since", attempt: 1 });
  });

  it("keeps its claim when its older lock is given back", async () => {
    await claim(coordinator, before.asks("a"));
    const ref = await claim(coordinator, since.asks("a", again));
    before.rest();
    await queued(coordinator, other.asks("b"));
    expect(await world.record()).toMatchObject({ state: "claimed", owner: "since" });
    await coordinator.complete(intended(ref), 1);
    expect(await waitFor(coordinator, "b")).toMatchObject({ state: "completed", output: 1 });
  });

  it("loses it with its newer lock", async () => {
    await claim(coordinator, before.asks("a"));
    await claim(coordinator, since.asks("a", again));
    since.die();
    expect(await answerTo(coordinator, other.asks("b"))).toMatchObject({ takeover: true });
  });

  it("finds out that it is dead already, and takes its own doubt over", async () => {
    await claim(coordinator, before.asks("a"));
    before.die();
    const taken = await answerTo(coordinator, other.asks("b"));
    await coordinator.abandon(claimOf(other.asks("b"), taken), { executed: false });
    expect(await answerTo(coordinator, since.asks("a", again))).toMatchObject({ takeover: true });
  });

  it("while it waits is dropped in its older copy, and waits on in its newer one", async () => {
    const owner = await claim(coordinator, other.asks("owner"));
    await queued(coordinator, before.asks("a"));
    const older = waitFor(coordinator, "a");
    await queued(coordinator, since.asks("a", again));
    expect(await older).toEqual({ state: "dropped" });
    before.rest();
    await coordinator.release(owner);
    expect(await waitFor(coordinator, "a")).toMatchObject({ state: "granted" });
    expect(await world.record()).toMatchObject({ call: "a", owner: "since", attempt: 1 });
  });

  it("while its older copy is being decided has one claim in the end, the newer copy's", async () => {
    const resume = world.pause();
    const copies = [coordinator.begin(before.asks("a")), coordinator.begin(since.asks("a", again))];
    resume();
    const [older, newer] = await Promise.all(copies);
    expect(older).toEqual({ state: "dropped" });
    expect(newer).toMatchObject({ state: "granted", fence: 1 });
    expect(await world.record()).toMatchObject({ owner: "since", attempt: 1, fence: 1 });
  });

  it("while its older copy is being decided waits on, and hears when the key is free", async () => {
    const owner = await claim(coordinator, other.asks("owner"));
    const resume = world.pause();
    const older = coordinator.begin(before.asks("a"));
    const newer = queued(coordinator, since.asks("a", again));
    resume();
    expect(await older).toEqual({ state: "dropped" });
    await newer;
    const answer = waitFor(coordinator, "a");
    await coordinator.release(owner);
    expect(await answer).toMatchObject({ state: "granted", phase: "reserved" });
  });

  it("does not lose its claim to an older copy that another coordinator still had", async () => {
    const ref = await claim(coordinator, since.asks("a", again));
    expect(await world.coordinator().begin(before.asks("a"))).toEqual({ state: "superseded" });
    expect(await world.record()).toMatchObject({ owner: "since", fence: ref.fence });
  });

  it("does not lose its place to an older copy that comes late on another port", async () => {
    const owner = await claim(coordinator, other.asks("owner"));
    await queued(coordinator, since.asks("a", again));
    const newer = waitFor(coordinator, "a");
    const older = coordinator.begin(before.asks("a"));
    await queued(coordinator, other.asks("behind"));
    await coordinator.release(owner);
    expect(await newer).toMatchObject({ state: "granted" });
    expect(await older).not.toMatchObject({ state: "granted" });
    expect(await world.record()).toMatchObject({ owner: "since", attempt: 1 });
  });
});
