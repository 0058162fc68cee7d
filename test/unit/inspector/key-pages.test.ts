import { describe, expect, test, vi } from "vitest";
import { KeyPages } from "../../../src/inspector/model/key-pages.js";
import { standingOf } from "../../../src/inspector/model/standing.js";
import type { OperationInfo, OperationQuery } from "../../../src/operations.js";

const operation = (key: string, rest: Partial<OperationInfo> = {}): OperationInfo => ({
  ...{ key, tool: "pay", state: "completed", fence: 1, executed: true },
  ...{ createdAt: 0, updatedAt: 0, ageMs: 0, waiters: 0, attempts: 0 },
  ...rest,
});

const keysFrom = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    operation(`k${String(from + index).padStart(5, "0")}`),
  );

/** A profile with that many keys, and what was asked of it. */
function profileOf(count: number) {
  const asked: OperationQuery[] = [];
  const changed = vi.fn();
  const pages = new KeyPages({
    async list(query = {}) {
      asked.push(query);
      const from = Number(query.cursor ?? 0);
      const operations = keysFrom(from, Math.min(query.limit ?? 100, count - from));
      const end = from + operations.length;
      return { operations, ...(end < count && { cursor: String(end) }) };
    },
    now: () => 7,
    changed,
  });
  return {
    pages,
    asked,
    changed,
    settled: () => vi.waitFor(() => expect(changed).toHaveBeenCalled()),
  };
}

describe("the keys that the Inspector has read", () => {
  test("begin with one page, and go on as a person scrolls", async () => {
    const { pages, asked, changed, settled } = profileOf(250);
    expect(pages.read).toBe(false);
    pages.refresh();
    await settled();
    expect(pages).toMatchObject({ read: true, more: true, error: undefined });
    expect(pages.known).toHaveLength(100);
    expect(pages.known[0]).toEqual({ info: operation("k00000"), readAt: 7 });
    for (const length of [200, 250]) {
      changed.mockClear();
      pages.readMore();
      // A scroll is many events.
      pages.readMore();
      await settled();
      expect(pages.known).toHaveLength(length);
    }
    expect(pages.more).toBe(false);
    pages.readMore();
    expect(asked).toHaveLength(3);
  });

  test("are all read again after a change, in pages as large as they may be", async () => {
    const { pages, asked, changed, settled } = profileOf(1_150);
    for (let length = 0; length < 1_150; length = pages.known.length) {
      changed.mockClear();
      if (length === 0) pages.refresh();
      else pages.readMore();
      await settled();
    }
    changed.mockClear();
    asked.length = 0;
    pages.refresh();
    await settled();
    expect(asked.map(({ limit }) => limit)).toEqual([1_000, 150]);
    expect(pages.known).toHaveLength(1_150);
  });

  test("are read once more, not more often, for all changes that come while they are read", async () => {
    const { pages, asked, changed } = profileOf(1);
    for (let change = 0; change < 5; change++) pages.refresh();
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(asked).toHaveLength(2);
  });

  test("are those that were asked for last, whenever the answers come", async () => {
    const { pages, asked, changed } = profileOf(5);
    pages.ask({ prefix: "a" });
    pages.ask({ prefix: "b", state: "in_doubt" });
    expect(pages.known).toEqual([]);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(asked.map(({ prefix, state }) => [prefix, state])).toEqual([
      ["a", undefined],
      ["b", "in_doubt"],
    ]);
    expect(pages.known).toHaveLength(5);
  });

  test("stay when they can't be read again, with the reason beside them", async () => {
    const changed = vi.fn();
    let failing = false;
    const pages = new KeyPages({
      list: async () => {
        if (failing) throw new Error("gone");
        return { operations: [operation("k")] };
      },
      now: () => 0,
      changed,
    });
    pages.refresh();
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
    failing = true;
    pages.refresh();
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(pages.error).toEqual(new Error("gone"));
    expect(pages.known).toHaveLength(1);
    failing = false;
    pages.refresh();
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(3));
    expect(pages.error).toBeUndefined();
  });
});

test("a key's standing says what a reviewer has to know first", () => {
  const standing = (rest: Partial<OperationInfo>) => standingOf(operation("k", rest));
  const owner = { id: "tab", alive: true };
  expect(standing({ state: "completed" })).toEqual({ tone: "good", text: "completed" });
  expect(standing({ state: "not_applied" })).toEqual({ tone: "good", text: "not applied" });
  expect(standing({ state: "in_doubt" })).toEqual({ tone: "doubt", text: "in doubt" });
  const claimed = { state: "claimed", owner } as const;
  expect(standing({ ...claimed, phase: "started" })).toEqual({ tone: "running", text: "started" });
  expect(standing({ ...claimed, phase: "reserved" })).toEqual({
    tone: "waiting",
    text: "reserved",
  });
  expect(standing({ ...claimed, takeover: true }).text).toBe("recovering");
  expect(standing({ state: "claimed", owner: { id: "tab", alive: false } })).toEqual({
    ...{ tone: "bad", text: "owner is gone" },
  });
  expect(standing({ state: "claimed" }).text).toBe("started");
});
