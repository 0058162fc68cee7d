import { describe, expect, it } from "vitest";
import { TabActivity } from "../../../client/activity.js";
import type { ActivityReport } from "../../../src/contracts.js";
import { arrive, openProfile } from "./watching.js";

describe("a tab that watches", () => {
  it("sees the calls of all tabs, its own included, as they go", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    b.say("2", "started");
    await arrive();
    a.say("1", "waiting", { key: "k" });
    await arrive();
    expect(b.seen.map(({ tab, event, key }) => [tab, event.stage, key])).toEqual([
      ["b", "started", undefined],
      ["a", "started", undefined],
      ["a", "waiting", "k"],
    ]);
  });

  it("is told of the calls that run already, with all that is known of them", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    a.say("over", "started");
    a.say("over", "succeeded");
    a.say("1", "started");
    profile.pass(1_000);
    a.say("1", "started", { key: "k", progress: { done: 1 } });
    await arrive();
    b.watch();
    a.watch();
    await arrive();
    const expected = [{ key: "k", progress: { done: 1 }, event: { timestamp: 0 } }];
    expect(b.seen).toMatchObject(expected);
    expect(a.seen).toMatchObject(expected);
  });

  it("knows the calls of other tabs for the next who looks in the same tab", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    const lookAway = b.watch();
    a.say("1", "started");
    a.say("1", "started", { key: "k", progress: { done: 1 } });
    a.say("over", "started");
    a.say("over", "succeeded");
    await arrive();
    b.seen.length = 0;
    const stop = b.watch();
    expect(b.seen).toMatchObject([{ tab: "a", key: "k", progress: { done: 1 } }]);
    profile.pass(1_000);
    lookAway();
    stop();
    b.seen.length = 0;
    a.say("1", "succeeded");
    await arrive();
    b.watch();
    await arrive();
    expect(b.seen).toEqual([]);
  });

  it("misses no call that ended before a new tab could learn that somebody watches", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    await arrive();
    a.say("1", "started");
    a.say("1", "failed");
    await arrive();
    expect(b.stages()).toEqual(["started", "failed"]);
  });

  it("learns that a tab which was closed took its calls with it", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("over", "started");
    a.say("over", "failed");
    a.say("1", "started");
    a.say("1", "authorized", { key: "k" });
    await arrive();
    b.seen.length = 0;
    profile.pass(500);
    a.happen("pagehide", false);
    await arrive();
    expect(b.seen).toEqual([
      {
        ...{ tab: "a", key: "k" },
        event: {
          ...{ invocationId: "1", name: "cancel_order" },
          ...{ stage: "outcome_unknown", timestamp: 500, durationMs: 500 },
        },
      },
    ]);
  });

  it("is told nothing any more once it looks away, and nobody else stops watching", async () => {
    const profile = openProfile();
    const [a, b, c] = [profile.tab("a"), profile.tab("b"), profile.tab("c")];
    const lookAway = b.watch();
    c.watch();
    a.say("1", "started");
    await arrive();
    lookAway();
    lookAway();
    a.say("1", "succeeded");
    await arrive();
    expect(b.stages()).toEqual(["started"]);
    expect(c.stages()).toEqual(["started", "succeeded"]);
  });

  it("does not disturb others by what it throws", async () => {
    const profile = openProfile();
    const a = profile.tab("a");
    a.activity.subscribe(() => {
      throw new Error("a broken panel");
    });
    a.watch();
    a.say("1", "started");
    expect(a.stages()).toEqual(["started"]);
  });

  it("passes over what another build says that it does not know", async () => {
    const profile = openProfile();
    const a = profile.tab("a");
    a.watch();
    const other = profile.channels.open();
    for (const message of [null, "hello", { type: "of a later build" }]) other.postMessage(message);
    await arrive();
    a.say("1", "started");
    expect(a.stages()).toEqual(["started"]);
  });
});

describe("a tab that nobody watches", () => {
  it("opens no channel before its first call, and says nothing but one question", async () => {
    const profile = openProfile();
    const a = profile.tab("a");
    a.happen("pageshow", false);
    expect(a.opened()).toBe(0);
    for (const id of ["1", "2", "3"]) {
      a.say(id, "started");
      a.say(id, "succeeded");
    }
    await arrive();
    expect(a.opened()).toBe(1);
    expect(profile.channels.posted).toEqual([{ type: "who_watches" }]);
  });

  it("falls silent when the last who watched is gone", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    b.happen("pagehide", false);
    await arrive();
    const before = profile.channels.posted.length;
    a.say("1", "succeeded");
    await arrive();
    expect(profile.channels.posted).toHaveLength(before);
  });
});

describe("a script outside of a page", () => {
  it("starts no timer, which would keep a server's process alive, and still sees its own calls", () => {
    let timers = 0;
    const clock = {
      now: () => 0,
      after() {
        timers += 1;
        return () => {};
      },
    };
    const signal = new AbortController().signal;
    const surroundings = { tab: "a", clock, signal, channel: undefined, events: undefined };
    const activity = new TabActivity(surroundings);
    const seen: ActivityReport[] = [];
    activity.subscribe((report) => seen.push(report));
    const times = { timestamp: 0, durationMs: 0 };
    const event = { invocationId: "1", name: "cancel_order", stage: "started", ...times } as const;
    activity.publish({ tab: "a", event });
    expect([seen.length, timers]).toEqual([1, 0]);
  });
});

describe("a page in the back/forward cache", () => {
  it("hears nothing, and watches again when it is back", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    b.happen("pagehide", true);
    await arrive();
    a.say("1", "authorized");
    await arrive();
    expect(b.stages()).toEqual(["started"]);
    b.happen("pageshow", true);
    await arrive();
    a.say("1", "succeeded");
    await arrive();
    expect(b.stages()).toEqual(["started", "started", "authorized", "succeeded"]);
  });

  it("goes on with its calls when it is back: they were not interrupted", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    b.seen.length = 0;
    a.happen("pagehide", true);
    a.happen("pageshow", true);
    await arrive();
    expect(b.stages()).toEqual(["started"]);
    a.say("1", "succeeded");
    await arrive();
    expect(b.stages()).toEqual(["started", "succeeded"]);
  });
});

describe("a profile that is closed", () => {
  it("watches no more and says no more", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    a.watch();
    b.watch();
    await arrive();
    a.close();
    a.say("1", "started");
    b.say("2", "started");
    await arrive();
    expect(a.opened()).toBe(1);
    expect(a.stages()).toEqual(["started"]);
    expect(b.stages()).toEqual(["started"]);
  });
});
