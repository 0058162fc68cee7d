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
    const missing = { channel: undefined, events: undefined, locks: undefined };
    const activity = new TabActivity({ tab: "a", clock, signal, ...missing, lockName: String });
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

describe("a tab that crashes", () => {
  it("leaves its calls as unknown to those who watch, and those that ended as they were", async () => {
    const profile = openProfile();
    const [a, b, c, d] = ["a", "b", "c", "d"].map((tab) => profile.tab(tab));
    if (!a || !b || !c || !d) throw new Error("Four tabs were opened.");
    b.watch();
    a.say("1", "started", { key: "k" });
    a.say("over", "started");
    a.say("over", "succeeded");
    d.say("of another tab", "started");
    await arrive();
    c.watch();
    await arrive();
    for (const watcher of [b, c]) watcher.seen.length = 0;
    profile.pass(500);
    a.crash();
    await arrive();
    // What it said last may still be on its way.
    expect([...b.seen, ...c.seen]).toEqual([]);
    profile.pass(1_000);
    const event = { invocationId: "1", stage: "outcome_unknown", timestamp: 1_500 };
    const last = { tab: "a", key: "k", event: { ...event, durationMs: 1_500 } };
    for (const { seen } of [b, c]) expect(seen).toMatchObject([last]);
    expect(await profile.locks()).toMatchObject({ held: ["photos:tab:d"] });
  });

  it("is not mistaken for one whose last call has ended, however late that is heard", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    a.say("1", "succeeded");
    a.say("2", "started");
    await arrive();
    profile.pass(1_000);
    expect(b.stages()).toEqual(["started", "succeeded", "started"]);
    a.crash();
    await arrive();
    profile.pass(1_000);
    expect(b.stages().at(-1)).toBe("outcome_unknown");
  });
});

describe("the lock of a tab with calls that others show", () => {
  it("is held as long as there are both, and no longer", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    a.say("1", "started");
    await arrive();
    expect(await profile.locks()).toEqual({ held: [], pending: [] });
    const lookAway = b.watch();
    await arrive();
    const shown = { held: ["photos:tab:a"], pending: ["photos:tab:a"] };
    expect(await profile.locks()).toEqual(shown);
    lookAway();
    await arrive();
    expect(await profile.locks()).toEqual({ held: [], pending: [] });
    b.watch();
    await arrive();
    expect(await profile.locks()).toEqual(shown);
    a.say("1", "succeeded");
    await arrive();
    expect(await profile.locks()).toEqual({ held: [], pending: [] });
  });

  it("is kept in the back/forward cache, where nobody can wait for it", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    a.happen("pagehide", true);
    b.happen("pagehide", true);
    await arrive();
    expect(await profile.locks()).toEqual({ held: ["photos:tab:a"], pending: [] });
    for (const tab of [b, a]) tab.happen("pageshow", true);
    await arrive();
    a.crash();
    await arrive();
    profile.pass(1_000);
    expect(b.stages().at(-1)).toBe("outcome_unknown");
  });

  it("ends with the profile: nobody learns any more what becomes of its calls", async () => {
    const profile = openProfile();
    const [a, b] = [profile.tab("a"), profile.tab("b")];
    b.watch();
    a.say("1", "started");
    await arrive();
    a.close();
    await arrive();
    profile.pass(1_000);
    expect(b.stages()).toEqual(["started", "outcome_unknown"]);
  });
});
