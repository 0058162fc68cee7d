import { describe, expect, test } from "vitest";
import type { OperationJournal } from "../../../src/contracts.js";
import {
  ConformanceError,
  checkOperationJournal,
  type JournalSpace,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "../../../src/testing/index.js";

type Fault = (sound: MemoryOperationJournal) => Partial<OperationJournal>;

const options = { timeoutMs: 100 };

/** Journals of profile scope, with one fault. */
const broken =
  (fault: Fault): (() => JournalSpace) =>
  () => {
    const first = new MemoryOperationJournal({ scope: "profile" });
    const store = new MemoryIdempotencyStore();
    return {
      open() {
        const sound = first.anotherTab();
        const journal: OperationJournal = {
          scope: sound.scope,
          read: (key) => sound.read(key),
          write: (key, entry) => sound.write(key, entry),
          remove: (key) => sound.remove(key),
          ...fault(sound),
        };
        return { journal, store: store.anotherTab() };
      },
      crash: () => {},
    };
  };

async function failuresOf(fault: Fault): Promise<readonly string[]> {
  const error: unknown = await checkOperationJournal(broken(fault), options).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConformanceError)) throw error;
  return error.failed.map(({ name }) => name);
}

describe("a sound journal", () => {
  test("passes every check, and each only once", async () => {
    const { passed, skipped } = await checkOperationJournal(
      broken(() => ({})),
      options,
    );
    expect(skipped).toEqual([]);
    expect(passed).toHaveLength(9);
    expect(new Set(passed).size).toBe(passed.length);
  });

  test("of one tab and without a store passes, and the report names what it lacks", async () => {
    const create = () => {
      const sound = new MemoryOperationJournal();
      const journal: OperationJournal = {
        read: (key) => sound.read(key),
        write: (key, entry) => sound.write(key, entry),
        remove: (key) => sound.remove(key),
      };
      return { open: () => ({ journal }) };
    };
    const { passed, skipped } = await checkOperationJournal(create, options);
    expect(passed).toHaveLength(6);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "its `scope` is one tab",
      "its `scope` is one tab",
      "its space opens it without a store",
    ]);
  });
});

describe("a journal with one fault fails exactly the check that names it:", () => {
  test.for<[fault: string, check: string, Fault]>([
    [
      "keeps the first entry",
      "puts a later entry in place of an earlier one",
      (sound) => ({
        write: async (key, entry) => {
          if ((await sound.read(key)) === undefined) await sound.write(key, entry);
        },
      }),
    ],
    ["ignores a removal", "removes an entry", () => ({ remove: async () => {} })],
    [
      "fails to remove what is not there",
      "removes nothing where there is no entry, without an error",
      (sound) => ({
        remove: async (key) => {
          if ((await sound.read(key)) === undefined) throw new Error("not found");
          await sound.remove(key);
        },
      }),
    ],
    [
      "mixes up keys that look alike",
      "keeps the entries of different keys apart, whatever their text",
      (sound) => ({
        read: (key) => sound.read(key.normalize()),
        write: (key, entry) => sound.write(key.normalize(), entry),
        remove: (key) => sound.remove(key.normalize()),
      }),
    ],
    [
      "gives an entry that nobody wrote",
      "has no entry before one is written",
      (sound) => ({ read: async (key) => (await sound.read(key)) ?? null }),
    ],
    [
      "rejects with a text",
      "has no entry before one is written",
      () => ({ read: () => Promise.reject("unreadable") }),
    ],
    ["loses what is written", "reads back what was written", () => ({ write: async () => {} })],
    [
      "claims a scope that it does not have",
      "shows an entry to every tab that its scope names",
      () => {
        const own = new MemoryOperationJournal();
        return {
          read: (key) => own.read(key),
          write: (key, entry) => own.write(key, entry),
          remove: (key) => own.remove(key),
        };
      },
    ],
    [
      "never answers",
      "has no entry before one is written",
      () => ({ read: () => new Promise(() => {}) }),
    ],
  ])("%s", async ([, check, fault]) => {
    expect(await failuresOf(fault)).toEqual([check]);
  });
});
