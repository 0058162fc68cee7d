import { describe, expect, it, vi } from "vitest";
import {
  ConfirmationError,
  IdempotencyConflictError,
  OperationInProgressError,
  type Tool,
} from "../../../src/index.js";
import {
  cancelled,
  coordinated,
  gate,
  KEY,
  leaving,
  never,
  type Order,
  type OrderTool,
  writing,
} from "./tab.js";

const effectOnly = (
  request: Extract<Tool<Order, undefined, unknown>["confirm"], (...args: never) => unknown>,
): Partial<OrderTool> => ({ confirm: { mode: "effect-only", request } });

describe("6. the claim", () => {
  it("of a free key runs the handler, and the store is told which tool asks", async () => {
    const { trace, store, tab } = coordinated();
    const { call } = await tab();
    await expect(call()).resolves.toEqual(cancelled);
    expect(store.said("begin")).toMatchObject({ tool: "cancel_order", reserve: false });
    expect(trace.filter((step) => step === "execute")).toHaveLength(1);
  });

  it("of a completed key is a replay: the stored output, without a handler or a question", async () => {
    const { trace, store, tab } = coordinated();
    store.records.set(KEY, { state: "completed", value: { stored: true } });
    const request = vi.fn(() => true);
    const { call, stages } = await tab(effectOnly(request));
    await expect(call()).resolves.toEqual({ stored: true });
    expect(stages()).toEqual(["started", "validated", "authorized", "replayed", "succeeded"]);
    expect(trace).toEqual(["begin"]);
    expect(request).not.toHaveBeenCalled();
  });

  it("of a key with a stored `undefined` is a replay too", async () => {
    const { trace, store, tab } = coordinated();
    store.records.set(KEY, { state: "completed", value: undefined });
    await expect((await tab()).call()).resolves.toBeNull();
    expect(trace).toEqual(["begin"]);
  });

  it("of a key that another tool used is a conflict, and nothing ran", async () => {
    const { trace, store, tab } = coordinated();
    store.records.set(KEY, { state: "completed", value: "theirs", tool: "refund_order" });
    const { call, stages } = await tab();
    await expect(call()).rejects.toBeInstanceOf(IdempotencyConflictError);
    expect(stages().slice(3)).toEqual(["failed"]);
    expect(trace).toEqual(["begin"]);
  });

  it("waits for a live owner in another tab, and both get the one answer of one effect (C121, stripe/stripe-ruby#431; C124, restatedev/restate#5128)", async () => {
    const { trace, tab } = coordinated();
    const { opened, open } = gate();
    const execute = writing(() => opened.then(() => ({ at: "the first tab" })));
    const [owner, waiter] = [await tab({ execute }), await tab()];
    const waiting = waiter.until("waiting");
    const answers = Promise.all([owner.call(), waiter.call()]);
    await waiting;
    open();
    await expect(answers).resolves.toEqual([{ at: "the first tab" }, { at: "the first tab" }]);
    expect(waiter.stages().slice(3)).toEqual(["waiting", "replayed", "succeeded"]);
    expect(trace.filter((step) => step === "execute")).toHaveLength(1);
  });

  it("goes to the waiter when the owner is declined, and the waiter asks for itself", async () => {
    const { tab } = coordinated();
    const { opened, open } = gate();
    const owner = await tab(effectOnly(() => opened.then(() => false)));
    const waiter = await tab(effectOnly(() => true));
    const waiting = waiter.until("waiting");
    const declined = owner.call();
    const answer = waiter.call();
    await waiting;
    open();
    await expect(declined).rejects.toBeInstanceOf(ConfirmationError);
    await expect(answer).resolves.toEqual(cancelled);
    expect(waiter.stages().slice(3, 7)).toEqual([
      ...["waiting", "claimed", "confirmation_requested", "confirmed"],
    ]);
  });

  it("is not waited for by a caller who leaves, and the owner is not disturbed", async () => {
    const { signal, reason, leave } = leaving();
    const { tab } = coordinated();
    const { opened, open } = gate();
    const owner = await tab({ execute: writing(() => opened.then(() => cancelled)) });
    const waiter = await tab();
    const waiting = waiter.until("waiting");
    const answer = owner.call();
    const left = waiter.call(signal);
    await waiting;
    leave();
    await expect(left).rejects.toBe(reason);
    expect(waiter.stages().slice(3)).toEqual(["waiting", "failed"]);
    open();
    await expect(answer).resolves.toEqual(cancelled);
  });

  it("is waited for no longer than the tool allows (C047, supabase/supabase-js#2106)", async () => {
    const { store, key, tab } = coordinated();
    store.records.set(KEY, { state: "claimed", fence: 99, started: true });
    const { call, stages } = await tab({ idempotency: { key, store, waitTimeoutMs: 1 } });
    const late = call();
    await expect(late).rejects.toBeInstanceOf(OperationInProgressError);
    await expect(late).rejects.toMatchObject({ waitTimeoutMs: 1 });
    expect(stages().slice(3)).toEqual(["waiting", "failed"]);
    expect(store.records.get(KEY)).toMatchObject({ state: "claimed", fence: 99 });
  });

  it("is waited for 120 seconds unless the tool says otherwise", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { store, tab } = coordinated();
      store.records.set(KEY, { state: "claimed", fence: 99, started: true });
      const { call, until, stages } = await tab();
      const waiting = until("waiting");
      const late = expect(call()).rejects.toMatchObject({ code: "operation_in_progress" });
      await waiting;
      await vi.advanceTimersByTimeAsync(119_999);
      expect(stages().at(-1)).toBe("waiting");
      await vi.advanceTimersByTimeAsync(1);
      await late;
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves no timer behind once it is answered", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { tab } = coordinated();
      await (await tab({ verify: () => true, verifyTimeoutMs: 5_000 })).call();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("that the store refuses ends the call with the store's own error before any effect", async () => {
    const failure = new DOMException("no database", "UnknownError");
    const { trace, store, tab } = coordinated();
    store.before.begin = () => Promise.reject(failure);
    await expect((await tab()).call()).rejects.toBe(failure);
    expect(trace).toEqual(["begin"]);
  });
});

describe("7. effect-only confirmation", () => {
  it("is asked while the key is only reserved, and starts the claim after a yes", async () => {
    const { trace, store, tab } = coordinated();
    const { call, stages } = await tab(
      effectOnly(() => {
        expect(store.records.get(KEY)).toMatchObject({ state: "claimed", started: false });
        return true;
      }),
    );
    await expect(call()).resolves.toEqual(cancelled);
    expect(trace.filter((step) => !step.startsWith("journal."))).toEqual([
      "begin",
      "start",
      "execute",
      "complete",
    ]);
    expect(stages().slice(3, 6)).toEqual(["confirmation_requested", "confirmed", "executed"]);
    expect(store.said("begin")).toMatchObject({ reserve: true });
  });

  it.each<[string, () => boolean | Promise<never>, object]>([
    ["declined", () => false, { code: "confirmation_declined" }],
    ["thrown", () => Promise.reject(new RangeError("no dialog")), { name: "RangeError" }],
  ])("that is %s releases the key without entering the handler", async (_, request, error) => {
    const { trace, store, tab } = coordinated();
    await expect((await tab(effectOnly(request))).call()).rejects.toMatchObject(error);
    expect(store.records.has(KEY)).toBe(false);
    expect(trace).not.toContain("execute");
    expect(trace.at(-1)).toBe("release");
  });

  it("that the caller leaves releases the key without entering the handler", async () => {
    const { signal, reason, leave } = leaving();
    const { trace, store, tab } = coordinated();
    const { call } = await tab(
      effectOnly(() => {
        leave();
        return never();
      }),
    );
    await expect(call(signal)).rejects.toBe(reason);
    expect(store.records.has(KEY)).toBe(false);
    expect(trace).not.toContain("execute");
  });
});

describe("8. between the claim and the handler", () => {
  it.each(["begin", "start"] as const)(
    "a caller who leaves during the store's %s gets the key released, unexecuted",
    async (method) => {
      const { signal, reason, leave } = leaving();
      const { trace, store, tab } = coordinated();
      store.before[method] = () => queueMicrotask(leave);
      // The grant comes although the caller has left: the store did not look at the signal in time.
      vi.spyOn(store, "begin").mockImplementation((key, options) =>
        Object.getPrototypeOf(store).begin.call(store, key, {
          ...options,
          signal: new AbortController().signal,
        }),
      );
      await expect((await tab(effectOnly(() => true))).call(signal)).rejects.toBe(reason);
      expect(store.records.has(KEY)).toBe(false);
      expect(trace).not.toContain("execute");
    },
  );

  it("a claim without effect-only confirmation is started by the write that makes it", async () => {
    const { trace, store, tab } = coordinated();
    const { call } = await tab({
      execute: writing(() => {
        expect(store.records.get(KEY)).toMatchObject({ state: "claimed", started: true });
      }),
    });
    await call();
    expect(trace).not.toContain("start");
  });

  it("a claim that can't be started is released, and the handler is not entered", async () => {
    const failure = new DOMException("full", "QuotaExceededError");
    const { trace, store, tab } = coordinated();
    store.before.start = () => Promise.reject(failure);
    await expect((await tab(effectOnly(() => true))).call()).rejects.toBe(failure);
    expect(store.records.has(KEY)).toBe(false);
    expect(trace).not.toContain("execute");
  });

  it("a claim that was lost meanwhile is not executed", async () => {
    const { trace, store, tab } = coordinated();
    const lost = new Error("the tab's lock ended");
    store.before.start = () => store.lost.abort(lost);
    await expect((await tab(effectOnly(() => true))).call()).rejects.toBe(lost);
    expect(trace).not.toContain("execute");
  });

  it("the handler gets its signal from the caller and from the claim's loss", async () => {
    const { store, tab } = coordinated();
    const lost = new Error("the tab's lock ended");
    const { call } = await tab({
      execute: writing((_, { signal }) => {
        expect(signal.aborted).toBe(false);
        store.lost.abort(lost);
        return { aborted: signal.aborted, same: signal.reason === lost };
      }),
    });
    await expect(call()).resolves.toEqual({ aborted: true, same: true });
  });
});
