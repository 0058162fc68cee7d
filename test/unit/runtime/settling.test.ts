import { describe, expect, it } from "vitest";
import type { IdempotencyStore } from "../../../src/index.js";
import { cancelled, coordinated, gate, KEY, leaving, saying, writing } from "./tab.js";

const refused = new Error("the server refused");
const refuse = () => Promise.reject(refused);

describe("a store and a journal that are apart", () => {
  it("are settled in this order: complete, then remove the entry", async () => {
    const { trace, journal, tab } = coordinated();
    await (await tab()).call();
    expect(trace.slice(-2)).toEqual(["complete", "journal.remove"]);
    expect(journal.entries.size).toBe(0);
  });

  it("leave the entry of a released key to the next owner, whose it may already be", async () => {
    const { trace, tab } = coordinated();
    await expect((await tab({ execute: refuse })).call()).rejects.toBe(refused);
    expect(trace.slice(-2)).toEqual(["journal.read", "release"]);
  });

  it("have an earlier life's entry cleared before a fresh handler is entered", async () => {
    const { trace, store, journal, tab } = coordinated();
    journal.entries.set(KEY, "from an earlier life");
    await expect((await tab({ execute: refuse })).call()).rejects.toBe(refused);
    expect(trace.slice(0, 3)).toEqual(["begin", "journal.remove", "execute"]);
    expect(store.records.has(KEY)).toBe(false);
  });

  it("keep the entry of an operation in doubt", async () => {
    const { journal, tab } = coordinated();
    await expect((await tab({ execute: writing(refuse) })).call()).rejects.toThrow("unknown");
    expect(journal.entries.get(KEY)).toEqual({ orderId: "o-1" });
  });

  it("keep the caller's answer when only the entry could not be removed", async () => {
    const { journal, store, tab } = coordinated();
    const { call, stages } = await tab({
      verify: () => {
        journal.before.remove = refuse;
        return true;
      },
    });
    await expect(call()).resolves.toEqual(cancelled);
    expect(stages().slice(3)).toEqual(["executed", "verified", "cleanup_failed", "succeeded"]);
    expect(store.records.get(KEY)).toEqual({ state: "completed", value: cancelled });
  });
});

describe("a profile's store and journal", () => {
  it("settle the entry themselves: the runtime does not remove it a second time", async () => {
    for (const execute of [writing(() => cancelled), refuse]) {
      const { trace, journal, tab } = coordinated({ joined: true });
      await (await tab({ execute })).call().catch(() => {});
      expect(trace).not.toContain("journal.remove");
      expect(journal.entries.size).toBe(0);
    }
  });

  it("clear an earlier life's entry with the claim itself", async () => {
    const { trace, journal, store, tab } = coordinated({ joined: true });
    journal.entries.set(KEY, "from an earlier life");
    await expect((await tab({ execute: refuse })).call()).rejects.toBe(refused);
    expect(trace).toEqual(["begin", "execute", "journal.read", "release"]);
    expect(store.records.has(KEY)).toBe(false);
  });

  it("are apart again for a tool with a journal of its own", async () => {
    const { trace, journal, tab } = coordinated({ joined: true });
    const own = coordinated({ scope: "profile" }).journal;
    await (await tab({ journal: { store: own } })).call();
    expect(own.calls.map(({ method }) => method)).toEqual(["remove", "write", "remove"]);
    expect(journal.calls).toEqual([]);
    expect(trace).toEqual(["begin", "execute", "complete"]);
  });
});

describe("every call of a claim", () => {
  it("passes back the fence that begin gave, and a signal that the caller can't abort", async () => {
    const { signal, leave } = leaving();
    const { store, journal, tab } = coordinated();
    const { call } = await tab({
      confirm: { mode: "effect-only", request: () => true },
      execute: writing(leave),
    });
    await call(signal);
    const calls = [...store.calls.slice(1), ...journal.calls];
    expect(calls.map(({ method }) => method)).toEqual([
      ...["start", "complete", "remove", "write", "remove"],
    ]);
    for (const { options } of calls) {
      expect(options.fence).toBe(1);
      expect(options.signal?.aborted).toBe(false);
    }
    expect(new Set(journal.calls.map(({ options }) => options.operationKey))).toEqual(
      new Set([KEY]),
    );
  });

  it("works with a store that has only begin, complete, release and abandon, and gives no fences", async () => {
    const { store, trace, key, journal, tab } = coordinated({ scope: "profile" });
    const fences = new Map<string, number | undefined>();
    const claim = (text: string) => ({ ...idle, fence: fences.get(text) });
    const idle = { signal: new AbortController().signal };
    const plain: IdempotencyStore = {
      async begin(text, { signal }) {
        const begun = await store.begin(text, { signal });
        if (begun.state === "completed") return begun;
        fences.set(text, begun.fence);
        return { state: begun.state };
      },
      complete: (text, value, { fence }) => {
        expect(fence).toBeUndefined();
        return store.complete(text, value, claim(text));
      },
      release: (text) => store.release(text, claim(text)),
      abandon: (text) => store.abandon(text, claim(text)),
    };
    const parts = {
      idempotency: { key, store: plain },
      journal: { store: journal },
      confirm: { mode: "effect-only", request: () => true },
    } as const;
    const failing = await tab({ ...parts, execute: writing(refuse) });
    await expect(failing.call()).rejects.toMatchObject({ code: "outcome_unknown" });
    const notApplied = saying({ recovered: false, outcome: "not_applied" });
    const { call } = await tab({ ...parts, recover: notApplied });
    await expect(call()).resolves.toEqual(cancelled);
    await expect(call()).resolves.toEqual(cancelled);
    expect(trace.filter((step) => step === "execute")).toHaveLength(2);
    expect(trace).not.toContain("start");
  });
});

describe("a failure while cleaning up", () => {
  it.each([
    ["release", refuse],
    ["abandon", writing(refuse)],
  ] as const)(
    "in %s goes to observers and does not replace the call's own error",
    async (method, execute) => {
      const { store, tab } = coordinated();
      store.before[method] = () => Promise.reject(new DOMException("gone", "InvalidStateError"));
      const { call, events, stages } = await tab({ execute });
      await expect(call()).rejects.toSatisfy((error: Error) => {
        return error === refused || error.cause === refused;
      });
      expect(stages()[3]).toBe("cleanup_failed");
      expect(events[3]?.error).toEqual({ name: "InvalidStateError" });
    },
  );

  it("of the journal does not keep the key from others: the operation falls into doubt", async () => {
    const { journal, store, tab } = coordinated();
    journal.before.remove = () => Promise.reject(new Error("the journal is full"));
    // The journal fails before the handler is entered, and again when the claim is released.
    await expect((await tab()).call()).rejects.toThrow("the journal is full");
    expect(store.records.get(KEY)?.state).not.toBe("claimed");
  });

  it("in release does not keep the key from others: the operation falls into doubt (C067, electric-sql/pglite#1109)", async () => {
    const { store, tab } = coordinated();
    store.before.release = () => Promise.reject(new Error("gone"));
    await expect((await tab({ execute: refuse })).call()).rejects.toBe(refused);
    expect(store.records.get(KEY)).toEqual({ state: "in_doubt", executed: false });
  });

  it("because the claim was lost gives the answer that another owner has stored", async () => {
    const { store, tab } = coordinated();
    store.before.release = () => {
      store.records.set(KEY, { state: "completed", value: { by: "another tab" } });
    };
    const { call, stages } = await tab({ execute: refuse });
    await expect(call()).resolves.toEqual({ by: "another tab" });
    expect(stages().slice(3)).toEqual(["cleanup_failed", "replayed", "succeeded"]);
  });
});

describe("settling", () => {
  it("and recovery wait for the journal writes that the handler did not wait for", async () => {
    for (const fails of [false, true]) {
      const { trace, journal, tab } = coordinated();
      const { opened, open } = gate();
      journal.before.write = () => opened;
      const { call } = await tab({
        execute(_, { operation }) {
          void operation?.write("first");
          void operation?.write("second");
          queueMicrotask(() => queueMicrotask(open));
          if (fails) throw refused;
          return cancelled;
        },
        recover: saying({ recovered: false }),
      });
      if (fails) await expect(call()).rejects.toMatchObject({ code: "outcome_unknown" });
      else await expect(call()).resolves.toEqual(cancelled);
      const end = trace.indexOf(fails ? "recover" : "complete");
      expect(trace.lastIndexOf("journal.write")).toBeLessThan(end);
      expect(journal.entries.get(KEY)).toBe(fails ? "second" : undefined);
    }
  });
});
