import { describe, expect, it } from "vitest";
import type { Progress } from "../../../src/contracts.js";
import type { Operation } from "../../../src/index.js";
import { ProgressTeller } from "../../../src/progress.js";
import { cancelled, coordinated, orderTool } from "./tab.js";

/** What is passed on, at which time. Time passes when the test says so. */
function told() {
  const passed: [at: number, progress: Progress][] = [];
  let now = 0;
  let timer: { at: number; task: () => void } | undefined;
  const clock = {
    now: () => now,
    after(ms: number, task: () => void) {
      const own = { at: now + ms, task };
      timer = own;
      return () => {
        if (timer === own) timer = undefined;
      };
    },
  };
  const teller = new ProgressTeller(clock, (progress) => passed.push([now, progress]));
  return {
    teller,
    passed,
    pass(ms: number) {
      const end = now + ms;
      while (timer && timer.at <= end) {
        const { at, task } = timer;
        now = at;
        timer = undefined;
        task();
      }
      now = end;
    },
  };
}

describe("what a handler says of its progress", () => {
  it("is shown at once, then at most every 100 ms, and what it said last is not lost", () => {
    const { teller, passed, pass } = told();
    for (let done = 1; done <= 250; done++) {
      teller.say({ done });
      pass(1);
    }
    pass(1_000);
    expect(passed).toEqual([
      ...[
        [0, { done: 1 }],
        [100, { done: 100 }],
        [200, { done: 200 }],
      ],
      [300, { done: 250 }],
    ]);
  });

  it("is not shown after the handler has ended", () => {
    const { teller, passed, pass } = told();
    teller.say({ done: 1 });
    teller.say({ done: 2 });
    teller.end();
    pass(1_000);
    expect(passed).toEqual([[0, { done: 1 }]]);
  });

  it("has a label that is bounded, and nothing that can't be shown", () => {
    const { teller, passed, pass } = told();
    const say = (said: unknown) => {
      teller.say(said as Progress);
      pass(100);
    };
    say({ done: 1, total: 2, label: `  two\n lines${"!".repeat(100)}` });
    say({ done: Number.NaN });
    say({ done: "3" });
    for (const nothing of [undefined, null, 3]) say(nothing);
    say({ done: 4, total: Number.POSITIVE_INFINITY, label: 4, secret: "s" });
    expect(passed).toEqual([
      [0, { done: 1, total: 2, label: expect.stringMatching(/^two lines!{70}…$/) }],
      [600, { done: 4 }],
    ]);
    expect(passed[0]?.[1].label).toHaveLength(80);
  });
});

describe("operation.progress", () => {
  const saying = (done: number) =>
    orderTool({
      execute: async (_, { operation }) => {
        await operation?.write({});
        operation?.progress({ done, label: "secret" });
        return cancelled;
      },
    }).execute;

  it("is in no event, and nothing of it is stored", async () => {
    const { tab, store, journal } = coordinated();
    const { call, events } = await tab({ execute: saying(1) });
    await call();
    const kept = [events, [...store.records], [...journal.entries], store.calls, journal.calls];
    expect(JSON.stringify(kept)).not.toContain("secret");
  });

  it("does nothing where nobody looks, after the handler, and in a replay", async () => {
    const { tab } = coordinated();
    const operations: (Operation | undefined)[] = [];
    const { call } = await tab({
      execute: async (_, { operation }) => {
        operations.push(operation);
        await operation?.write({});
        return cancelled;
      },
      verify: ({ operation }) => operations.push(operation) > 0,
    });
    await call();
    await call();
    expect(operations).toHaveLength(3);
    for (const operation of operations) operation?.progress({ done: 1 });
  });
});
