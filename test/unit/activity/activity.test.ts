import { describe, expect, it, vi } from "vitest";
import {
  type ActivityInvocation,
  type ActivityOptions,
  createSignett,
  createSignettActivity,
  type Signett,
} from "../../../src/index.js";
import { gate, type OrderTool, openTab, orderTool, writing } from "../runtime/tab.js";
import { openProfile } from "./profile.js";

const yes = () => true;
const no = () => false;
const lost = () => Promise.reject(new Error("secret: the answer was lost"));

/** Everything that an activity showed of one call, without what it shows all the time. */
async function lifeOf(parts: Partial<OrderTool>, calls = 1) {
  const { tab } = openProfile();
  const { signett, call } = await tab(parts);
  for (let earlier = 1; earlier < calls; earlier++) await call().catch(() => {});
  const activity = createSignettActivity(signett);
  const phases: string[] = [];
  activity.subscribe(() => {
    const { phase = "" } = activity.getSnapshot().latest ?? {};
    if (phases.at(-1) !== phase) phases.push(phase);
  });
  await call().catch(() => {});
  return { phases, latest: activity.getSnapshot().latest };
}

describe("what a person sees of a call", () => {
  const paths: [string, Partial<OrderTool>, string[], Partial<ActivityInvocation>][] = [
    ["a success", {}, ["running", "verifying", "succeeded"], { verified: false, replayed: false }],
    [
      "a confirmed and verified success",
      { confirm: yes, verify: yes },
      ["running", "awaiting_confirmation", "running", "verifying", "succeeded"],
      { verified: true, recovered: false },
    ],
    [
      "a decline",
      { confirm: no },
      ["running", "awaiting_confirmation", "declined"],
      { error: { name: "ConfirmationError", code: "confirmation_declined" } },
    ],
    [
      "a failure",
      { authorize: no },
      ["running", "failed"],
      { error: { name: "AuthorizationError", code: "authorization_denied" } },
    ],
    [
      "an unknown outcome",
      { execute: writing(lost) },
      ["running", "unknown"],
      { error: { name: "OutcomeUnknownError", code: "outcome_unknown" } },
    ],
    [
      "a recovery",
      { execute: writing(lost), recover: () => ({ recovered: true, output: 1 }), verify: yes },
      ["running", "verifying", "succeeded"],
      { recovered: true, replayed: false, verified: true },
    ],
  ];

  it.each(paths)("is told in phases: %s", async (_, parts, phases, shown) => {
    const life = await lifeOf(parts);
    expect(life.phases).toEqual(phases);
    expect(life.latest).toMatchObject(shown);
    expect(JSON.stringify(life.latest)).not.toContain("secret");
  });

  it("says that a stored answer was replayed", async () => {
    const { phases, latest } = await lifeOf({}, 2);
    expect(phases).toEqual(["running", "verifying", "succeeded"]);
    expect(latest).toMatchObject({ replayed: true, key: "cancel:o-1" });
    expect(latest).not.toHaveProperty("error");
  });

  it("has its tool, its times, and no tab of its own", async () => {
    const now = vi.spyOn(Date, "now");
    try {
      now.mockReturnValue(1_000);
      const { signett, call } = await openTab(
        orderTool({ execute: () => void now.mockReturnValue(1_250) }),
      );
      const activity = createSignettActivity(signett);
      await call();
      const { invocationId, ...shown } = activity.getSnapshot().latest ?? {};
      expect(shown).toEqual({
        ...{ toolName: "cancel_order", phase: "succeeded" },
        ...{ startedAt: 1_000, updatedAt: 1_250, durationMs: 250 },
        ...{ verified: false, replayed: false, recovered: false },
      });
      expect(invocationId).toEqual(expect.any(String));
    } finally {
      now.mockRestore();
    }
  });
});

/** A tool whose calls end when the test says so. */
async function held(options?: ActivityOptions) {
  const gates: (() => void)[] = [];
  let enter = () => {};
  const execute = () => {
    const { opened, open } = gate();
    gates.push(open);
    enter();
    return opened;
  };
  const { signett, call, host } = await openTab(orderTool({ execute }));
  const start = async () => {
    const entered = gate();
    enter = entered.open;
    const answer = call();
    await entered.opened;
    return { answer };
  };
  const activity = createSignettActivity(signett, options);
  return {
    signett,
    activity,
    call,
    start,
    host,
    finish: (index: number) => gates[index]?.(),
  };
}

describe("a snapshot", () => {
  it("stays the same object until something changes, and so does each call in it", async () => {
    const { activity, start, finish } = await held();
    expect(activity.getSnapshot()).toEqual({ invocations: [], latest: undefined });
    expect(activity.getSnapshot()).toBe(activity.getSnapshot());
    const first = await start();
    const second = await start();
    const before = activity.getSnapshot();
    expect(activity.getSnapshot()).toBe(before);
    expect(before.latest).toBe(before.invocations[0]);
    finish(0);
    await first.answer;
    const after = activity.getSnapshot();
    expect(after.invocations[0]).toBe(before.invocations[0]);
    expect(after.invocations[1]).not.toBe(before.invocations[1]);
    expect(before.invocations.map(({ phase }) => phase)).toEqual(["running", "running"]);
    expect(after.invocations.map(({ phase }) => phase)).toEqual(["running", "succeeded"]);
    expect(Object.isFrozen(after) && Object.isFrozen(after.latest)).toBe(true);
    finish(1);
    await second.answer;
  });

  it("keeps the latest calls, and those that run longer than any that ended", async () => {
    const { activity, start, finish } = await held({ maxInvocations: 2 });
    const long = await start();
    for (const index of [1, 2]) {
      const { answer } = await start();
      finish(index);
      await answer;
    }
    expect(activity.getSnapshot().invocations.map(({ phase }) => phase)).toEqual([
      ...["succeeded", "running"],
    ]);
    const more = [await start(), await start()];
    expect(activity.getSnapshot().invocations.map(({ phase }) => phase)).toEqual([
      ...["running", "running"],
    ]);
    for (const index of [0, 3, 4]) finish(index);
    await Promise.all([long.answer, ...more.map(({ answer }) => answer)]);
  });

  it("begins with the calls that run already", async () => {
    const { signett, start, finish } = await held();
    const { answer } = await start();
    const late = createSignettActivity(signett);
    expect(late.getSnapshot().latest).toMatchObject({ phase: "running" });
    finish(0);
    await answer;
    expect(late.getSnapshot().invocations).toMatchObject([{ phase: "succeeded" }]);
    expect(createSignettActivity(signett).getSnapshot().latest).toBeUndefined();
  });

  it("shows one tool only, if asked, and no registrations", async () => {
    const { signett, activity, start, host, finish } = await held({ toolName: "read_order" });
    await signett.expose(orderTool({ name: "read_order", execute: () => 1 }));
    const other = await start();
    await host.invoke("read_order", { orderId: "o-1" });
    finish(0);
    await other.answer;
    expect(activity.getSnapshot().invocations).toMatchObject([{ toolName: "read_order" }]);
  });

  it("does not change any more after `dispose`", async () => {
    const { activity, start, finish } = await held();
    const { answer } = await start();
    const last = activity.getSnapshot();
    let told = 0;
    activity.subscribe(() => {
      told += 1;
    });
    activity.dispose();
    finish(0);
    await answer;
    expect(activity.getSnapshot()).toBe(last);
    expect(told).toBe(0);
  });
});

describe("a subscriber", () => {
  it("that throws ends neither the call nor others' subscriptions, and can leave", async () => {
    const { activity, start, finish } = await held();
    let told = 0;
    const count = () => {
      told += 1;
    };
    activity.subscribe(() => {
      throw new Error("a broken component");
    });
    const leave = activity.subscribe(count);
    activity.subscribe(count);
    const { answer } = await start();
    expect(told).toBeGreaterThan(1);
    leave();
    const before = told;
    finish(0);
    await expect(answer).resolves.toBeNull();
    expect(told).toBe(before + 2);
  });
});

describe("createSignettActivity", () => {
  const signett = createSignett();

  it.each<[string, ActivityOptions | undefined, unknown, string]>([
    ["what is no interface", undefined, {}, "no interface"],
    ["no room", { maxInvocations: 0 }, signett, "`maxInvocations`"],
    ["half a call", { maxInvocations: 1.5 }, signett, "`maxInvocations`"],
    ["too much room", { maxInvocations: 10_001 }, signett, "`maxInvocations`"],
    ["a profile where there is none", { scope: "profile" }, signett, "`scope"],
  ])("refuses %s", (_, options, of, field) => {
    const create = () => createSignettActivity(of as Signett<undefined>, options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(field);
  });
});
