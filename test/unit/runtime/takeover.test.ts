import { describe, expect, it, vi } from "vitest";
import { InterruptedOperationError, OutcomeUnknownError } from "../../../src/index.js";
import type { TestRecord } from "../../support/runtime.js";
import {
  cancelled,
  coordinated,
  KEY,
  leaving,
  never,
  type OrderTool,
  saying,
  untyped,
} from "./tab.js";

type Doubt = Omit<Extract<TestRecord, { state: "in_doubt" }>, "state" | "tool">;

/** Calls a key that an earlier owner left in doubt; `earlier` is the entry that it left. */
async function takeOver(
  parts: Partial<OrderTool>,
  {
    scope = "profile",
    joined = false,
    earlier,
    signal,
    ...doubt
  }: {
    scope?: "tab" | "profile";
    joined?: boolean;
    earlier?: unknown;
    signal?: AbortSignal;
  } & Doubt = {},
) {
  const kit = coordinated({ scope, joined });
  kit.store.records.set(KEY, { state: "in_doubt", ...doubt });
  if (earlier !== undefined) kit.journal.entries.set(KEY, earlier);
  const tab = await kit.tab(parts);
  const ended = await tab.call(signal).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  return { ...kit, stages: tab.stages().slice(3), ended, record: kit.store.records.get(KEY) };
}

const inDoubt = { state: "in_doubt", executed: false };
const withoutReads = (trace: string[]) => trace.filter((step) => step !== "journal.read");
const ran = (trace: string[]) => trace.includes("execute");

describe("a takeover", () => {
  it.each([undefined, "an entry"])(
    "of which recover has found the effect: verify, complete, return (entry: %s)",
    async (earlier) => {
      const verify = vi.fn(() => true);
      const { ended, record, stages, trace, journal } = await takeOver(
        { recover: saying({ recovered: true, output: cancelled }), verify },
        { earlier },
      );
      expect(ended).toEqual({ value: cancelled });
      expect(record).toEqual({ state: "completed", value: cancelled });
      expect(stages).toEqual(["recovered", "verified", "succeeded"]);
      expect(trace).toEqual(["begin", "recover", "verify", "complete", "journal.remove"]);
      expect(journal.entries.size).toBe(0);
    },
  );

  it("tells recover that an earlier owner was interrupted, and lets it read that owner's entry", async () => {
    const { ended } = await takeOver(
      {
        recover: async ({ error, operation }) => {
          expect(error).toBeInstanceOf(InterruptedOperationError);
          return { recovered: true, output: await operation?.read() };
        },
      },
      { earlier: { receipt: 7 } },
    );
    expect(ended).toEqual({ value: { receipt: 7 } });
  });

  it.each([undefined, "an entry"])(
    "of which recover says not applied: runs as fresh (entry: %s)",
    async (earlier) => {
      const { ended, record, store, trace } = await takeOver(
        { recover: saying({ recovered: false, outcome: "not_applied" }) },
        { earlier },
      );
      expect(ended).toEqual({ value: cancelled });
      expect(record).toEqual({ state: "completed", value: cancelled });
      expect(withoutReads(trace)).toEqual([
        ...["begin", "recover", "start", "journal.remove"],
        ...["execute", "journal.write", "complete", "journal.remove"],
      ]);
      expect(store.said("start")).toMatchObject({ fresh: true, journalKey: `\n${KEY}` });
    },
  );

  it("with nothing recovered and no entry in the profile's journal: runs as fresh", async () => {
    const { ended, trace } = await takeOver({ recover: saying({ recovered: false }) });
    expect(ended).toEqual({ value: cancelled });
    expect(ran(trace)).toBe(true);
  });

  it.each([
    ["in a journal that only one tab can read", { scope: "tab" }],
    ["after execute had returned", { executed: true }],
    ["where the earlier owner named no journal", { journalKey: null }],
    ["where the earlier owner's journal was another", { journalKey: "\nanother" }],
    ["but with one that was written", { earlier: "an entry" }],
  ] as const)(
    "with nothing recovered and no entry, %s: OutcomeUnknownError, in doubt",
    async (_, doubt) => {
      const { ended, record, trace } = await takeOver(
        { recover: saying({ recovered: false, reason: "Nobody knows" }) },
        doubt,
      );
      expect(ended).toHaveProperty("error", expect.any(OutcomeUnknownError));
      expect(ended).toHaveProperty("error.message", expect.stringContaining("Nobody knows"));
      expect(ended).toHaveProperty("error.cause", expect.any(InterruptedOperationError));
      expect(record).toMatchObject({ ...inDoubt, executed: "executed" in doubt });
      expect(ran(trace)).toBe(false);
    },
  );

  it.each([`\n${KEY}`, undefined])(
    "with nothing recovered and no entry under the journal key %j that the store reports: runs as fresh",
    async (journalKey) => {
      const { trace } = await takeOver(
        { recover: saying({ recovered: false }) },
        journalKey === undefined ? {} : { journalKey },
      );
      expect(ran(trace)).toBe(true);
    },
  );

  it("with nothing recovered and a journal that can't be read: OutcomeUnknownError, in doubt", async () => {
    const { journal, store, tab } = coordinated({ scope: "profile" });
    store.records.set(KEY, inDoubt as TestRecord);
    journal.before.read = () => Promise.reject(new Error("gone"));
    const { call } = await tab({ recover: saying({ recovered: false }) });
    await expect(call()).rejects.toBeInstanceOf(OutcomeUnknownError);
    expect(store.records.get(KEY)).toEqual(inDoubt);
  });

  const offline = new Error("offline");
  it.each<[string, OrderTool["recover"], number]>([
    ["recover says unknown", saying({ recovered: false, outcome: "unknown" }), 1],
    [
      "recover answers with an outcome nobody knows",
      () => untyped({ recovered: false, outcome: "?" }),
      1,
    ],
    ["recover throws", () => Promise.reject(offline), 2],
    ["there is no recover", undefined, 1],
  ])("of which %s: OutcomeUnknownError, in doubt", async (_, recover, causes) => {
    for (const earlier of [undefined, "an entry"]) {
      const { ended, record, stages, trace } = await takeOver(recover ? { recover } : {}, {
        earlier,
      });
      expect(ended).toHaveProperty("error", expect.any(OutcomeUnknownError));
      const interrupted = expect.any(InterruptedOperationError);
      if (causes === 1) expect(ended).toHaveProperty("error.cause", interrupted);
      else expect(ended).toHaveProperty("error.cause.errors", [interrupted, offline]);
      expect(record).toEqual(inDoubt);
      expect(stages).toEqual(["outcome_unknown"]);
      expect(ran(trace)).toBe(false);
    }
  });

  it("keeps on record that execute had returned, through every further doubt", async () => {
    for (const recover of [saying({ recovered: false, outcome: "unknown" }), undefined]) {
      const { record } = await takeOver(recover ? { recover } : {}, { executed: true });
      expect(record).toEqual({ state: "in_doubt", executed: true });
    }
  });

  it("that the caller leaves before it decides: in doubt, the abort reason", async () => {
    for (const executed of [false, true]) {
      const { signal, reason, leave } = leaving();
      const recover = () => {
        leave();
        return never();
      };
      const { ended, record } = await takeOver({ recover }, { signal, executed });
      expect(ended).toEqual({ error: reason });
      expect(record).toEqual({ state: "in_doubt", executed });
    }
  });

  it("granted to a caller who has left already: in doubt, the abort reason, recover is not asked", async () => {
    const { signal, reason, leave } = leaving();
    const { store, trace, tab } = coordinated();
    vi.spyOn(store, "begin").mockImplementation(async () => {
      leave();
      store.records.set(KEY, { state: "claimed", fence: 5, started: true });
      return { state: "in_flight", fence: 5 };
    });
    const { call } = await tab({ recover: saying({ recovered: true, output: 1 }) });
    await expect(call(signal)).rejects.toBe(reason);
    expect(store.records.get(KEY)).toEqual(inDoubt);
    expect(trace).toEqual(["abandon"]);
  });
});

describe("a takeover that goes on as fresh", () => {
  const notApplied = saying({ recovered: false, outcome: "not_applied" });

  it("asks effect-only confirmation, and only then starts the claim", async () => {
    const steps: string[] = [];
    const request = () => steps.push("confirm") > 0;
    const { ended, trace } = await takeOver({
      recover: notApplied,
      confirm: { mode: "effect-only", request },
    });
    expect(ended).toEqual({ value: cancelled });
    expect(steps).toEqual(["confirm"]);
    expect(withoutReads(trace).slice(0, 5)).toEqual([
      "begin",
      "recover",
      "start",
      "journal.remove",
      "execute",
    ]);
  });

  it("and is declined: released, since recovery has proved that nothing happened", async () => {
    const { ended, record, trace } = await takeOver(
      { recover: notApplied, confirm: { mode: "effect-only", request: () => false } },
      { earlier: "an entry" },
    );
    expect(ended).toMatchObject({ error: { code: "confirmation_declined" } });
    expect(record).toBeUndefined();
    expect(ran(trace)).toBe(false);
  });

  it("and is left while the dialog is open: released, the abort reason", async () => {
    const { signal, reason, leave } = leaving();
    const request = () => {
      leave();
      return never();
    };
    const { ended, record } = await takeOver(
      { recover: notApplied, confirm: { mode: "effect-only", request } },
      { signal },
    );
    expect(ended).toEqual({ error: reason });
    expect(record).toBeUndefined();
  });

  it("is not asked for consent when recovery has found the effect", async () => {
    const request = vi.fn(() => true);
    await takeOver({
      recover: saying({ recovered: true, output: cancelled }),
      confirm: { mode: "effect-only", request },
    });
    expect(request).not.toHaveBeenCalled();
  });

  it("asks recovery a second time when its own handler throws, and never runs the handler twice", async () => {
    const execute = vi.fn(() => Promise.reject(new Error("refused")));
    const { ended, record } = await takeOver({ execute, recover: notApplied });
    expect(ended).toHaveProperty("error.message", "refused");
    expect(record).toBeUndefined();
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("has the earlier entry cleared, so that it says nothing about the new handler", async () => {
    for (const joined of [false, true]) {
      const { ended, record } = await takeOver(
        { execute: () => Promise.reject(new Error("refused")), recover: notApplied },
        { earlier: "an entry", joined },
      );
      expect(ended).toHaveProperty("error.message", "refused");
      expect(record).toBeUndefined();
    }
  });
});
