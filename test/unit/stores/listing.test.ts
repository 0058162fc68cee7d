import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { indexedDbDatabase } from "../../../stores/database.js";
import type { OperationRecord } from "../../../stores/records.js";
import type { RecordsQuery } from "../../../stores/rows.js";
import { emptyStorage } from "./indexeddb.js";
import { claimed, completed, inDoubt } from "./samples.js";

beforeEach(emptyStorage);

const any: RecordsQuery = { state: undefined, prefix: "", after: undefined, limit: 1_000 };

/** Stores the records in a new database and reads some of them. */
async function reading(records: readonly OperationRecord[]) {
  emptyStorage();
  const database = indexedDbDatabase("shop");
  await database.transact("relaxed", async (rows) => {
    for (const record of records) await rows.putRecord(record);
  });
  return async (query: Partial<RecordsQuery>) => {
    const found = await database.transact("relaxed", (rows) => rows.records({ ...any, ...query }));
    return found.map(({ key }) => key);
  };
}

describe("a stretch of the records", () => {
  it("has the keys in their order, of one state or of all", async () => {
    const keys = await reading([
      inDoubt({ key: "b" }),
      completed({ key: "c" }),
      claimed({ key: "a" }),
      completed({ key: "d" }),
    ]);
    expect(await keys({})).toEqual(["a", "b", "c", "d"]);
    expect(await keys({ state: "completed" })).toEqual(["c", "d"]);
    expect(await keys({ state: "claimed" })).toEqual(["a"]);
    expect(await keys({ limit: 2 })).toEqual(["a", "b"]);
    expect(await keys({ after: "b", limit: 1 })).toEqual(["c"]);
    expect(await keys({ state: "completed", after: "c" })).toEqual(["d"]);
  });

  it("follows a key from one state to the next", async () => {
    const database = indexedDbDatabase("shop");
    const stored = (state: OperationRecord["state"]) =>
      database.transact("relaxed", (rows) => rows.records({ ...any, state }));
    await database.transact("relaxed", (rows) => rows.putRecord(claimed()));
    await database.transact("relaxed", (rows) => rows.putRecord(completed()));
    expect(await stored("claimed")).toEqual([]);
    expect(await stored("completed")).toEqual([completed()]);
  });

  const unit = fc.constantFrom("a", "b", "\u{1f600}", "\ud800", "\uffff", "");
  const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(""));

  it("has all keys that begin with the prefix and no others, whatever texts they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(text.filter((key) => key !== "")),
        text,
        fc.constantFrom("completed" as const, undefined),
        async (keys, prefix, state) => {
          const found = await reading(keys.map((key) => completed({ key })));
          const wanted = keys.filter((key) => key.startsWith(prefix)).sort();
          expect(await found({ prefix, state })).toEqual(wanted);
          const [first] = wanted;
          if (first === undefined) return;
          expect(await found({ prefix, state, after: first })).toEqual(wanted.slice(1));
        },
      ),
      { numRuns: 60 },
    );
  });
});
