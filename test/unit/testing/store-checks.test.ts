import { describe, expect, test } from "vitest";
import type { IdempotencyStore } from "../../../src/contracts.js";
import {
  ConformanceError,
  checkIdempotencyStore,
  MemoryIdempotencyStore,
} from "../../../src/testing/index.js";
import * as faults from "./broken-stores.js";
import { servesLastFirst } from "./out-of-turn.js";

const { broken } = faults;

/** Only a fault is ever waited for, so that a sound store is not timed. */
const timeoutMs = 100;

/** Names of the checks that fail. */
async function failuresOf(fault: faults.Fault): Promise<readonly string[]> {
  const error: unknown = await checkIdempotencyStore(broken(fault), { timeoutMs }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConformanceError)) throw error;
  return error.failed.map(({ name }) => name);
}

/** The memory store with only what every store must have. */
const plain = (store: MemoryIdempotencyStore): IdempotencyStore => ({
  begin: async (key, { signal }) => {
    const begun = await store.begin(key, { signal });
    return begun.state === "completed" ? begun : { state: begun.state };
  },
  complete: (key, value, { signal }) => store.complete(key, value, { signal }),
  release: (key, { signal }) => store.release(key, { signal }),
  abandon: (key, { signal }) => store.abandon(key, { signal }),
});

describe("a sound store", () => {
  test("passes every check, and each only once", async () => {
    const { passed, skipped } = await checkIdempotencyStore(broken(() => () => ({})));
    expect(skipped).toEqual([]);
    expect(passed).toHaveLength(35);
    expect(new Set(passed).size).toBe(passed.length);
  });

  test("that has only what the seed asks for passes, and the report names what it lacks", async () => {
    const create = () => {
      const first = new MemoryIdempotencyStore();
      return { open: () => plain(first.anotherTab()) };
    };
    const { passed, skipped } = await checkIdempotencyStore(create, { timeoutMs, intents: false });
    expect(passed).toHaveLength(18);
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(
      new Set([
        "it never calls `onWait`",
        "it never calls `onWait`, which tells who came first",
        "it gives no fences",
        "it has no `start`",
        "it does not remember whether a handler returned",
        "it does not remember journal keys",
        "`intents` is false",
        "its space has no `crash`",
      ]),
    );
    expect(passed.length + skipped.length).toBe(35);
  });
});

describe("a store with one fault fails exactly the check that names it:", () => {
  test.for<[fault: string, check: string, faults.Fault]>([
    ["never wakes its waiters", "wakes every waiter when the owner completes", faults.neverWakes],
    [
      "ignores an abort while waiting",
      "lets a waiter leave, with its signal's reason",
      faults.ignoresAbort,
    ],
    ["loses `undefined`", "replays `undefined` as an output", faults.losesUndefined],
    ["lets a stale owner settle", "refuses a stale fence", faults.staleSettles],
    ["hands one key to two owners", "gives a key to one owner at a time", faults.twoOwners],
    [
      "forgets doubt after a crash",
      "leaves a crashed owner's started claim in doubt",
      faults.forgetsDoubt,
    ],
    ["serves one key's waiters out of turn", "serves one key's waiters in turn", servesLastFirst],
    ["settles without a claim", "refuses to settle without a claim", faults.settlesWithoutClaim],
    [
      "leaves doubt where nothing was started",
      "frees a crashed owner's reserved claim",
      faults.keepsReservations,
    ],
    [
      "forgets that a handler returned",
      "remembers that a handler returned, through every takeover",
      faults.forgetsExecuted,
    ],
    [
      "forgets where the journal entry is",
      "remembers the first owner's journal key, through every takeover",
      faults.forgetsJournalKey,
    ],
    [
      "replays an output for another intent",
      "refuses to replay an output for another intent",
      faults.ignoresIntents,
    ],
    [
      "claims for a caller who has left",
      "claims nothing for a call that is aborted already",
      faults.claimsForAborted,
    ],
    [
      "says that a call waits when it does not",
      "says once that a call waits, and only if it does",
      faults.saysAlwaysThatItWaits,
    ],
    [
      "never answers who settles without a claim",
      "refuses to settle without a claim",
      faults.hangsWithoutClaim,
    ],
    ["forgets outputs", "replays a stored output in every tab", faults.forgetsOutputs],
    [
      "reports a conflict as any other error",
      "refuses to replay an output for another intent",
      faults.rewordsConflicts,
    ],
    [
      "gives fences that do not grow",
      "gives each claim of a key a larger fence",
      faults.countsDown,
    ],
  ])("%s", async ([, check, fault]) => {
    expect(await failuresOf(fault)).toEqual([check]);
  });
});

describe("a fault that shows in two ways fails both checks:", () => {
  test.for<[fault: string, checks: readonly string[], faults.Fault]>([
    [
      "keeps a place in the queue for a caller who has left",
      ["goes on for everyone else when a waiter leaves", "keeps no key for a waiter that has left"],
      faults.keepsGhosts,
    ],
    [
      "rejects with another reason than the signal's",
      [
        "claims nothing for a call that is aborted already",
        "lets a waiter leave, with its signal's reason",
      ],
      faults.rewordsReasons,
    ],
  ])("%s", async ([, checks, fault]) => {
    expect(await failuresOf(fault)).toEqual(checks);
  });
});

describe("the report of a failure", () => {
  test("says what happened, and which checks were not made because of it", async () => {
    const error: unknown = await checkIdempotencyStore(broken(faults.neverWakes), {
      timeoutMs,
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConformanceError);
    expect(String(error)).toContain(
      '- wakes every waiter when the owner completes: begin("key") in tab 2 did not settle within 100 ms',
    );
    expect(error).toMatchObject({
      unmade: expect.arrayContaining(["serves one key's waiters in turn"]),
    });
    expect(String(error)).toContain("Not checked, because they build on what failed:");
  });

  test("includes a space that cannot be opened", async () => {
    const create = () => ({
      open(): IdempotencyStore {
        throw new Error("no storage");
      },
    });
    await expect(checkIdempotencyStore(create)).rejects.toThrow(
      "gives a free key to its first caller: no storage",
    );
  });

  test("comes before any check when the time limit makes no sense", async () => {
    const create = () => ({ open: () => new MemoryIdempotencyStore() });
    await expect(checkIdempotencyStore(create, { timeoutMs: 0 })).rejects.toThrow(RangeError);
  });
});
