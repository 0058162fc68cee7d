import { afterEach, describe, expect, it, vi } from "vitest";
import { ClaimLostError, type Operation } from "../../../src/index.js";
import { cancelled, coordinated, gate, KEY, leaving, openTab, orderTool, saying } from "./tab.js";

describe("operation", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("tells the handler its key and the claim's fence", async () => {
    const { tab } = coordinated();
    const { call } = await tab({
      async execute(_, { operation }) {
        await operation?.write("cancelling");
        return { key: operation?.key, fence: operation?.fence };
      },
    });
    await expect(call()).resolves.toEqual({ key: KEY, fence: 1 });
  });

  it("is undefined in a tool without idempotency", async () => {
    const seen: unknown[] = [];
    const { call } = await openTab(
      orderTool({
        execute: (_, invocation) => seen.push(invocation.operation),
        verify: ({ operation }) => seen.push(operation) > 0,
      }),
    );
    await call();
    expect(seen).toEqual([undefined, undefined]);
  });

  it("reads what was written, also what the handler did not wait for", async () => {
    const { tab } = coordinated();
    const { call } = await tab({
      async execute(_, { operation }) {
        const before = await operation?.read();
        void operation?.write({ receipt: 1 });
        return { before, after: await operation?.read<{ receipt: number }>() };
      },
    });
    await expect(call()).resolves.toEqual({ after: { receipt: 1 } });
  });

  it("keeps writes and removals in their order, whoever waits for them", async () => {
    const { trace, journal, tab } = coordinated();
    const { opened, open } = gate();
    journal.before.write = () => opened;
    const { call } = await tab({
      async execute(_, { operation }) {
        const changes = [operation?.write(1), operation?.remove(), operation?.write(2)];
        open();
        await Promise.all(changes);
        return operation?.read();
      },
    });
    await expect(call()).resolves.toBe(2);
    const start = trace.indexOf("execute") + 1;
    expect(trace.slice(start, start + 3)).toEqual([
      ...["journal.write", "journal.remove", "journal.write"],
    ]);
  });

  it("refuses to write undefined, which could not be told from no entry", async () => {
    const { trace, tab } = coordinated();
    const { call } = await tab({
      execute: (_, { operation }) => operation?.write(undefined),
    });
    await expect(call()).rejects.toThrow(TypeError);
    expect(trace).not.toContain("journal.write");
  });

  it("writes on for a caller who has left, so that no correlation is lost", async () => {
    const { signal, reason, leave } = leaving();
    const { journal, tab } = coordinated();
    const { call } = await tab({
      async execute(_, { operation }) {
        leave();
        await operation?.write("cancelling");
        throw new Error("the answer was lost");
      },
    });
    await expect(call(signal)).rejects.toBe(reason);
    expect(journal.entries.get(KEY)).toBe("cancelling");
  });

  it("gives the handler the journal's own error, and a failed write is no proof of an entry", async () => {
    const failure = new DOMException("full", "QuotaExceededError");
    const { journal, store, tab } = coordinated();
    journal.before.write = () => Promise.reject(failure);
    await expect((await tab()).call()).rejects.toBe(failure);
    expect(store.records.has(KEY)).toBe(false);
  });

  it.each(["succeeded", "failed", "fallen into doubt", "been refused by verify"])(
    "refuses what a handler left running writes after the call has %s",
    async (end) => {
      const { journal, tab } = coordinated();
      let late: Operation | undefined;
      const { call } = await tab({
        async execute(_, { operation }) {
          late = operation;
          if (end !== "failed") await operation?.write("cancelling");
          if (end === "failed" || end === "fallen into doubt") throw new Error("no");
        },
        verify: () => end !== "been refused by verify",
      });
      await call().catch(() => {});
      const entry = journal.entries.get(KEY);
      await expect(late?.write("late")).rejects.toBeInstanceOf(ClaimLostError);
      await expect(late?.remove()).rejects.toBeInstanceOf(ClaimLostError);
      expect(journal.entries.get(KEY)).toBe(entry);
    },
  );

  it("refuses what a handler left running writes while its result is being verified", async () => {
    const { journal, tab } = coordinated();
    let late: Operation | undefined;
    const { call } = await tab({
      async execute(_, { operation }) {
        late = operation;
        await operation?.write("cancelling");
        return cancelled;
      },
      async verify() {
        await expect(late?.write("late")).rejects.toBeInstanceOf(ClaimLostError);
        return journal.entries.get(KEY) === "cancelling";
      },
    });
    await expect(call()).resolves.toEqual(cancelled);
  });

  it("never lets a key go free while what the handler left running has written its journal", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { journal, store, tab } = coordinated();
    let write = async (): Promise<unknown> => undefined;
    let written: Promise<unknown> | undefined;
    // The runtime is about to find no entry when the handler's other branch writes one, before its effect.
    journal.before.read = () => {
      written ??= write().then(
        () => "written",
        () => "refused",
      );
    };
    const { call } = await tab({
      execute: (_, { operation }) => {
        write = async () => operation?.write("about to cancel");
        throw new Error("one branch failed");
      },
      recover: saying({ recovered: false }),
    });
    await call().catch(() => {});
    const free = !store.records.has(KEY);
    expect({ free, branch: await written }).not.toEqual({ free: true, branch: "written" });
  });

  it("of a replay has no entry and no claim, and refuses to write", async () => {
    const { store, journal, tab } = coordinated();
    store.records.set(KEY, { state: "completed", value: cancelled });
    const { call } = await tab({
      async verify({ operation }) {
        expect(operation).toMatchObject({ key: KEY, fence: undefined });
        expect(await operation?.read()).toBeUndefined();
        await expect(operation?.write("late")).rejects.toBeInstanceOf(ClaimLostError);
        await expect(operation?.remove()).rejects.toBeInstanceOf(ClaimLostError);
        return true;
      },
    });
    await expect(call()).resolves.toEqual(cancelled);
    expect(journal.calls).toEqual([]);
  });

  it("that a finished handler never wrote to is reported once per tool, with a warning", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const { tab } = coordinated();
    const { call, stages } = await tab({ execute: ({ orderId }) => orderId });
    await call(undefined, { orderId: "o-1" });
    await call(undefined, { orderId: "o-2" });
    expect(stages().filter((stage) => stage === "journal_unused")).toHaveLength(1);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("operation.write()"));
  });
});
