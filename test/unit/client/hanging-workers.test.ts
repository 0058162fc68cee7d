import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { afterAwake, Deadlines } from "../../../client/deadline.js";
import type { TestTab } from "../../support/world/tab.js";
import { inTime, linger, pass, stopTime } from "../../support/world/time.js";
import { World } from "../../support/world/world.js";
import { enter, wait } from "./calls.js";

let world: World;
let tab: TestTab;
let other: TestTab;
let warn: MockInstance<typeof console.warn>;

beforeEach(() => {
  stopTime();
  warn = vi.spyOn(console, "warn").mockReturnValue();
  world = new World();
  tab = world.tab();
  other = world.tab();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const receipt = (key: string) => ({ receipt: `${key} 1` });

describe("a worker that hangs", () => {
  it("before its first answer is replaced by one of the next name, where the tabs meet (C007, OpenSlides/openslides-client#2706; C025, WebKit/WebKit#8887; C150, dabblewriter/tab-election source src/tab.ts (989a61d))", async () => {
    await other.profile.ready();
    world.wedgeWorker();
    const answers = await inTime(
      Promise.all([tab.call("k", world.authority), other.call("k", world.authority)]),
    );
    expect(answers).toEqual([receipt("k"), receipt("k")]);
    expect(world.authority.effects("k")).toBe(1);
    expect([tab.profile.mode, other.profile.mode]).toEqual(["shared", "shared"]);
    expect(world.workers).toEqual(["shop:v1", "shop:v1:g2"]);
    expect(warn).not.toHaveBeenCalled();
  });

  it("while a handler runs costs neither the call nor a second effect", async () => {
    const { call, resume } = await enter(tab, "k", world.authority);
    world.wedgeWorker();
    resume();
    expect(await inTime(call)).toEqual(receipt("k"));
    expect(await inTime(other.call("k", world.authority))).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
    await linger();
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("while calls wait leaves none of them without an answer (C059, WebKit/WebKit#364)", async () => {
    const owner = await enter(tab, "k", world.authority);
    const waiters = [
      await wait(other, "k", world.authority),
      await wait(world.tab(), "k", world.authority),
    ];
    world.wedgeWorker();
    owner.resume();
    const answers = await inTime(Promise.all(waiters.map(({ call }) => call)));
    expect(answers).toEqual([receipt("k"), receipt("k")]);
    expect(await owner.call).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
  });

  it("and wakes when others have taken over disturbs nobody", async () => {
    const owner = await enter(tab, "k", world.authority);
    const waiter = await wait(other, "k", world.authority);
    world.wedgeWorker();
    await pass(15_000);
    world.wakeWorker();
    await pass(5_000);
    expect(world.authority.effects("k")).toBe(0);
    owner.resume();
    expect(await inTime(Promise.all([owner.call, waiter.call]))).toEqual([
      receipt("k"),
      receipt("k"),
    ]);
    expect(world.authority.effects("k")).toBe(1);
    await pass(5_000);
    expect(await world.signsOfLife()).toEqual([]);
  });

  it("three times in a row is not waited for again: the tab coordinates itself", async () => {
    for (let hung = 0; hung < 3; hung++) {
      await tab.profile.ready();
      world.wedgeWorker();
      await inTime(tab.call(`${hung}`, world.authority));
    }
    expect(tab.profile.mode).toBe("local");
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("the coordination worker answers no more")],
    ]);
    expect(await inTime(other.call("0", world.authority))).toEqual(receipt("0"));
    expect(world.authority.effects("0")).toBe(1);
  });
});

describe("a worker whose storage takes its time", () => {
  it("is not taken for one that hangs", async () => {
    const goOn = world.storage.pause();
    const call = tab.call("k", world.authority);
    await pass(50_000);
    goOn();
    expect(await inTime(call)).toEqual(receipt("k"));
    expect(world.workers).toEqual(["shop:v1"]);
  });

  it("is not waited for without end", async () => {
    const goOn = world.storage.pause();
    const call = tab.call("k", world.authority);
    await pass(80_000);
    goOn();
    expect(world.workers).toEqual(["shop:v1", "shop:v1:g2"]);
    expect(await inTime(call)).toEqual(receipt("k"));
    expect(world.authority.effects("k")).toBe(1);
  });
});

it("many calls that wait at once add no listener each: Node warns of a leak at eleven", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  const owner = await enter(tab, "k", world.authority);
  const waiters = await Promise.all(
    Array.from({ length: 20 }, () => wait(other, "k", world.authority)),
  );
  owner.resume();
  await inTime(Promise.all(waiters.map(({ call }) => call)));
  process.off("warning", warned);
  expect(warned).not.toHaveBeenCalled();
});

describe("a deadline", () => {
  it("passes after its time", async () => {
    const late = vi.fn();
    afterAwake({ now: () => 0, after: timer }, 1_000, late);
    vi.advanceTimersByTime(999);
    expect(late).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it("does not pass at once when the page wakes: what came meanwhile is heard first (C151, dabblewriter/tab-election source src/hub.ts (989a61d))", async () => {
    const due: (() => void)[] = [];
    const clock = { now: () => 0, after: (_: number, task: () => void) => push(due, task) };
    const late = vi.fn();
    const cancel = afterAwake(clock, 1_000, late);
    for (const task of due.splice(0)) task();
    cancel();
    for (const task of due) task();
    expect(late).not.toHaveBeenCalled();
  });
});

describe("deadlines of many requests", () => {
  let deadlines: Deadlines;
  beforeEach(() => {
    deadlines = new Deadlines({ now: () => 0, after: timer }, 1_000);
  });

  it("share a timer, and pass after their time and before a quarter more", () => {
    const passed: string[] = [];
    deadlines.add(() => passed.push("first"));
    vi.advanceTimersByTime(200);
    deadlines.add(() => passed.push("second"));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(799);
    expect(passed).toEqual([]);
    vi.advanceTimersByTime(251);
    expect(passed).toEqual(["first", "second"]);
    vi.advanceTimersByTime(250);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that were cancelled never pass", () => {
    const late = vi.fn();
    const cancels = [deadlines.add(late), deadlines.add(late)];
    cancels[0]?.();
    vi.advanceTimersByTime(900);
    cancels[1]?.();
    vi.advanceTimersByTime(10_000);
    expect(late).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("do not pass at once when the page wakes: all that was due meanwhile is one look", () => {
    const due: (() => void)[] = [];
    const clock = { now: () => 0, after: (_: number, task: () => void) => push(due, task) };
    const late = vi.fn();
    const cancel = new Deadlines(clock, 1_000).add(late);
    for (const task of due.splice(0)) task();
    cancel();
    for (const task of due.splice(0)) task();
    expect(late).not.toHaveBeenCalled();
  });
});

function timer(ms: number, task: () => void): () => void {
  const id = setTimeout(task, ms);
  return () => clearTimeout(id);
}

/** Adds a task that can be cancelled. */
function push(due: (() => void)[], task: () => void): () => void {
  due.push(task);
  return () => void due.splice(due.indexOf(task), 1);
}
