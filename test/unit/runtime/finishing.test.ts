import { describe, expect, it, vi } from "vitest";
import { ClaimLostError, OutputError, VerificationError } from "../../../src/index.js";
import { cancelled, coordinated, KEY, leaving, never, openTab, orderTool, writing } from "./tab.js";

describe("9. the output", () => {
  it("is copied once, so that the first caller, verify and every replay agree (C102, whatwg/html#7428)", async () => {
    const output = { at: new Date(0), note: undefined, lines: [1, undefined] };
    const copy = { at: "1970-01-01T00:00:00.000Z", lines: [1, null] };
    const verify = vi.fn(({ output: seen }: { output: unknown }) => {
      expect(seen).toEqual(copy);
      output.lines.push(2);
      return true;
    });
    const { store, tab } = coordinated();
    const { call } = await tab({ execute: writing(() => output), verify });
    await expect(call()).resolves.toStrictEqual(copy);
    expect(store.records.get(KEY)).toStrictEqual({ state: "completed", value: copy });
    await expect(call()).resolves.toStrictEqual(copy);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  it("of `undefined` reaches the host as null", async () => {
    const { call } = await openTab(orderTool({ execute: () => undefined }));
    await expect(call()).resolves.toBeNull();
  });

  it("that is no JSON data is an OutputError with the path, in a plain tool too", async () => {
    const { call, stages } = await openTab(orderTool({ execute: () => ({ rows: [new Map()] }) }));
    const refused = call();
    await expect(refused).rejects.toBeInstanceOf(OutputError);
    await expect(refused).rejects.toMatchObject({ path: "/rows/0" });
    expect(stages().slice(3)).toEqual(["failed"]);
  });
});

describe("10. what follows a finished effect", () => {
  it("says that the caller left meanwhile, and completes all the same", async () => {
    const { signal, leave } = leaving();
    const { store, tab } = coordinated();
    const { call, stages } = await tab({
      execute: writing(() => {
        leave();
        return cancelled;
      }),
      verify: ({ signal: own }) => !own.aborted,
    });
    await expect(call(signal)).resolves.toEqual(cancelled);
    expect(stages().slice(3)).toEqual([
      "executed",
      "completed_after_abort",
      "verified",
      "succeeded",
    ]);
    expect(store.records.get(KEY)).toEqual({ state: "completed", value: cancelled });
  });

  it("says the same of a plain tool", async () => {
    const { signal, leave } = leaving();
    const { call, stages } = await openTab(orderTool({ execute: leave }));
    await call(signal);
    expect(stages().slice(3)).toEqual(["executed", "completed_after_abort", "succeeded"]);
  });

  it.each([
    ["output_validated", "12345678"],
    ["output_oversized", "123456789"],
    ["output_validated", "äöü12"],
    ["output_oversized", "äöü123"],
    ["output_validated", undefined],
  ] as const)(
    "says %s of %j against a budget of 10 bytes, and never fails",
    async (stage, text) => {
      const { call, stages } = await openTab(
        orderTool({ execute: () => text, outputBudgetBytes: 10 }),
      );
      await expect(call()).resolves.toBe(text ?? null);
      expect(stages().slice(3)).toEqual(["executed", stage, "succeeded"]);
    },
  );

  it("says whether a replayed output keeps the budget, as of every other output", async () => {
    const { store, tab } = coordinated();
    store.records.set(KEY, { state: "completed", value: "a stored text" });
    const { call, stages } = await tab({ outputBudgetBytes: 10 });
    await call();
    expect(stages().slice(3)).toEqual(["replayed", "output_oversized", "succeeded"]);
  });

  it("is verified before the output is stored, while the journal can still be read", async () => {
    const { trace, tab } = coordinated();
    const { call } = await tab({
      verify: async ({ operation }) => {
        expect(await operation?.read()).toEqual({ orderId: "o-1" });
        return { verified: true };
      },
    });
    await expect(call()).resolves.toEqual(cancelled);
    expect(trace.slice(trace.indexOf("execute"))).toEqual([
      ...["execute", "journal.write", "verify", "journal.read", "complete", "journal.remove"],
    ]);
  });

  const refusals: [string, () => boolean | { verified: false } | Promise<never>, object][] = [
    ["says no", () => ({ verified: false }), { code: "verification_failed" }],
    ["throws", () => Promise.reject(new RangeError("offline")), { name: "RangeError" }],
    ["does not answer in time", never, { code: "verification_failed" }],
  ];

  it.each(refusals)(
    "leaves the key in doubt, with the effect on record, when verify %s",
    async (_, verify, error) => {
      const { trace, store, tab } = coordinated();
      const { call, stages } = await tab({ verify, verifyTimeoutMs: 1 });
      await expect(call()).rejects.toMatchObject(error);
      expect(store.records.get(KEY)).toEqual({ state: "in_doubt", executed: true });
      expect(trace).not.toContain("complete");
      expect(stages().slice(3)).toEqual(["executed", "failed"]);
    },
  );

  it.each(refusals)(
    "leaves a replayed record as it is when verify %s",
    async (_, verify, error) => {
      const { trace, store, tab } = coordinated();
      store.records.set(KEY, { state: "completed", value: cancelled });
      const { call } = await tab({ verify, verifyTimeoutMs: 1 });
      await expect(call()).rejects.toMatchObject(error);
      expect(store.records.get(KEY)).toEqual({ state: "completed", value: cancelled });
      expect(trace).toEqual(["begin", "verify"]);
    },
  );

  it("aborts the signal of a verification that is out of time, not the caller's", async () => {
    let seen: AbortSignal | undefined;
    const { call } = await openTab(
      orderTool({
        verify: ({ signal }) => {
          seen = signal;
          return never();
        },
        verifyTimeoutMs: 1,
      }),
    );
    const { signal } = leaving();
    await expect(call(signal)).rejects.toThrow("no answer within 1 ms");
    expect(seen?.reason).toBeInstanceOf(VerificationError);
    expect(signal.aborted).toBe(false);
  });
});

describe("11. storing the output", () => {
  it("that fails keeps the answer for the caller, says so, and leaves the key in doubt", async () => {
    const { store, tab } = coordinated();
    store.before.complete = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
    const { call, events, stages } = await tab();
    await expect(call()).resolves.toEqual(cancelled);
    expect(stages().slice(3)).toEqual(["executed", "result_not_stored", "succeeded"]);
    expect(events[4]?.error).toEqual({ name: "QuotaExceededError" });
    expect(store.records.get(KEY)).toEqual({ state: "in_doubt", executed: true });
  });

  it("that fails, with a database that can't even record the doubt, keeps the answer too", async () => {
    const { store, tab } = coordinated();
    store.before.complete = () => Promise.reject(new Error("gone"));
    store.before.abandon = () => Promise.reject(new Error("gone"));
    const { call, stages } = await tab();
    await expect(call()).resolves.toEqual(cancelled);
    expect(stages().slice(4)).toEqual(["result_not_stored", "cleanup_failed", "succeeded"]);
  });

  it("under a lost claim gives the answer that another owner has stored meanwhile", async () => {
    const { store, tab } = coordinated();
    store.before.complete = () => {
      store.records.set(KEY, { state: "completed", value: { by: "another tab" } });
    };
    const { call, stages } = await tab();
    await expect(call()).resolves.toEqual({ by: "another tab" });
    expect(stages().slice(3)).toEqual(["executed", "replayed", "succeeded"]);
  });

  it("under a lost claim is a ClaimLostError where nobody has stored an answer", async () => {
    const { trace, store, tab } = coordinated();
    store.before.complete = () => {
      store.records.set(KEY, { state: "claimed", fence: 99, started: true });
    };
    const { call, stages } = await tab();
    await expect(call()).rejects.toBeInstanceOf(ClaimLostError);
    expect(stages().slice(3)).toEqual(["executed", "failed"]);
    expect(trace.at(-1)).toBe("complete");
    expect(store.records.get(KEY)).toMatchObject({ state: "claimed", fence: 99 });
  });
});

describe("12. the end", () => {
  it("is `succeeded`, `failed` or `outcome_unknown`, once, and the last event", async () => {
    const ends = new Set(["succeeded", "failed", "outcome_unknown"]);
    const throwing = () => Promise.reject(new Error("lost"));
    for (const [parts, end] of [
      [{}, "succeeded"],
      [{ execute: throwing }, "failed"],
      [{ execute: throwing, recover: throwing }, "outcome_unknown"],
    ] as const) {
      const { tab } = coordinated();
      const { call, stages } = await tab(parts);
      await call().catch(() => {});
      expect(stages().filter((stage) => ends.has(stage))).toEqual([end]);
      expect(stages().at(-1)).toBe(end);
    }
  });
});
