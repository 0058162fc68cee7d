import { describe, expect, it } from "vitest";
import {
  type ActivityReport,
  createSignett,
  createSignettActivity,
  type Operation,
  type Stage,
} from "../../../src/index.js";
import { cancelled, coordinated, gate, KEY } from "../runtime/tab.js";
import { arrive, openProfile } from "./profile.js";

/** A handler that says how far it is when the test wants it to, and ends when the test wants it to. */
function working() {
  const { opened, open } = gate();
  const { opened: entered, open: enter } = gate();
  let operation: Operation | undefined;
  return {
    entered,
    finish: open,
    progress: (done: number) => operation?.progress({ done, total: 3 }),
    async execute(_: unknown, invocation: { operation: Operation | undefined }) {
      operation = invocation.operation;
      enter();
      await opened;
      await operation?.write({});
      return cancelled;
    },
  };
}

describe("an activity of the whole profile", () => {
  it("shows the calls of all tabs, and which tab runs them", async () => {
    const { tab } = openProfile();
    const [a, b] = [await tab(), await tab()];
    const activity = createSignettActivity(b.signett, { scope: "profile" });
    await arrive();
    await a.call();
    await arrive();
    await b.call();
    expect(activity.getSnapshot().invocations).toMatchObject([
      { tab: "tab 2", phase: "succeeded", replayed: true, key: KEY },
      { tab: "tab 1", phase: "succeeded", replayed: false, key: KEY },
    ]);
    expect(activity.getSnapshot().invocations).toHaveLength(2);
    activity.dispose();
    await a.call();
    await arrive();
    expect(activity.getSnapshot().invocations).toHaveLength(2);
  });

  it("shows a call of another tab that runs already, once, with all that is known of it", async () => {
    const { tab } = openProfile();
    const owner = working();
    const [a, b, c] = [await tab(owner), await tab(), await tab()];
    const first = createSignettActivity(b.signett, { scope: "profile" });
    const answer = a.call();
    await owner.entered;
    owner.progress(1);
    await arrive();
    const late = createSignettActivity(c.signett, { scope: "profile" });
    await arrive();
    const expected = [
      { tab: "tab 1", phase: "running", key: KEY, progress: { done: 1, total: 3 } },
    ];
    expect(late.getSnapshot().invocations).toMatchObject(expected);
    expect(first.getSnapshot().invocations).toMatchObject(expected);
    owner.finish();
    await answer;
    await arrive();
    for (const { getSnapshot } of [first, late]) {
      expect(getSnapshot().invocations).toMatchObject([{ phase: "succeeded" }]);
      expect(getSnapshot().latest).not.toHaveProperty("progress");
    }
  });
});

describe("an activity that is told of a call again, because its page was away", () => {
  it("keeps what it knows", () => {
    let tell: (report: ActivityReport) => void = () => {};
    const signett = createSignett({
      profile: {
        ...openProfile().profile(),
        activity: {
          ...{ tab: "own", publish: () => {} },
          subscribe(watcher) {
            tell = watcher;
            return () => {};
          },
        },
      },
    });
    const { getSnapshot } = createSignettActivity(signett, { scope: "profile" });
    const report = (stage: Stage, more: Partial<ActivityReport> = {}) =>
      tell({
        tab: "other",
        event: { invocationId: "1", name: "cancel_order", stage, timestamp: 1, durationMs: 0 },
        ...more,
      });
    report("started");
    report("validated", { progress: { done: 1 } });
    const before = getSnapshot();
    report("started");
    expect(getSnapshot()).toBe(before);
    report("validated", { key: "k" });
    expect(getSnapshot().latest).toMatchObject({ key: "k", progress: { done: 1 } });
    report("succeeded");
    const end = getSnapshot();
    for (const stage of ["started", "validated", "succeeded"] as const) report(stage);
    expect(getSnapshot()).toBe(end);
  });
});

describe("a call that waits", () => {
  it.each(["tab", "profile"] as const)(
    "shows the progress of the one in another tab (scope: %s)",
    async (scope) => {
      const { tab, channels } = openProfile();
      const owner = working();
      const [a, b] = [await tab(owner), await tab()];
      const activity = createSignettActivity(b.signett, { scope });
      const own = () => activity.getSnapshot().invocations.find(({ phase }) => phase === "waiting");
      const first = a.call();
      await owner.entered;
      owner.progress(1);
      const waiting = b.until("waiting");
      const second = b.call();
      await waiting;
      await arrive();
      expect(own()).toMatchObject({ progress: { done: 1, total: 3 } });
      owner.finish();
      await Promise.all([first, second]);
      await arrive();
      const { invocations } = activity.getSnapshot();
      expect(invocations.find(({ replayed }) => replayed)).toMatchObject({ phase: "succeeded" });
      expect(activity.getSnapshot().latest).not.toHaveProperty("progress");
      if (scope === "profile") return;
      // Nobody waits any more, so nobody is told any more.
      await arrive();
      const posted = channels.posted.length;
      await a.call();
      await arrive();
      expect(channels.posted).toHaveLength(posted);
    },
  );

  it("shows the progress of the one in its own tab, without a profile too", async () => {
    const { tab } = coordinated();
    const owner = working();
    const { signett, call, until } = await tab(owner);
    const activity = createSignettActivity(signett);
    const first = call();
    await owner.entered;
    const waiting = until("waiting");
    const second = call();
    await waiting;
    owner.progress(1);
    expect(activity.getSnapshot().invocations).toMatchObject([
      { phase: "waiting", progress: { done: 1, total: 3 } },
      { phase: "running", progress: { done: 1, total: 3 } },
    ]);
    activity.dispose();
    owner.finish();
    await Promise.all([first, second]);
  });
});
