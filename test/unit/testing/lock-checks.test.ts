import { describe, expect, test } from "vitest";
import {
  ConformanceError,
  checkLockManager,
  createTestLockManager,
} from "../../../src/testing/index.js";
import * as order from "./broken-lock-order.js";
import * as faults from "./broken-locks.js";
import { failuresOf } from "./lock-failures.js";

/** Only a fault is ever waited for, so that a sound manager is not timed. */
const timeoutMs = 100;

describe("a sound lock manager", () => {
  test("passes every check, and each only once", async () => {
    const { passed, skipped } = await checkLockManager(faults.brokenLocks(faults.sound));
    expect(skipped).toEqual([]);
    expect(passed).toHaveLength(24);
    expect(new Set(passed).size).toBe(passed.length);
  });

  test("passes with one client too, and the report names what could not be tried", async () => {
    const { passed, skipped } = await checkLockManager(() => {
      const locks = createTestLockManager();
      return { open: () => locks };
    });
    expect(passed).toHaveLength(21);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      "its space has no `crash`",
      "its space has no `crash`",
      "its space has no `freeze`",
    ]);
  });
});

describe("a lock manager with one fault fails exactly the checks that name it:", () => {
  test.for<[fault: string, checks: readonly string[], faults.LockFault]>([
    ["hides modes", ["gives a free lock, with its name and mode"], faults.hidesModes],
    ["loses values", ["gives what the callback gives, or its error"], faults.losesValues],
    [
      "calls back inside of `request`",
      ["never calls back before `request` has returned"],
      faults.callsAtOnce,
    ],
    [
      "keeps a lock whose callback failed",
      ["frees a lock when its callback has ended, well or not"],
      faults.keepsAfterErrors,
    ],
    [
      "takes a moment to tell that a lock is taken",
      ["excludes from the first use of a name on"],
      order.learnsLate,
    ],
    [
      "does not tell new clients what is held",
      ["keeps a held lock from clients that come later"],
      order.forgetsTheOld,
    ],
    ["serves the last one first", ["serves requests in turn"], order.servesLastFirst],
    [
      "takes two names for one",
      ["keeps locks of different names apart, odd ones too"],
      faults.foldsNames,
    ],
    ["shares nothing", ["lets shared requests hold a lock together"], faults.sharesNothing],
    [
      "counts one of those who share",
      ["keeps an exclusive request waiting until the last shared holder is gone"],
      order.countsOneSharer,
    ],
    [
      "lets shared requests overtake",
      ["lets no shared request overtake a waiting exclusive one"],
      order.overtakes,
    ],
    [
      "keeps shared and exclusive locks apart",
      [
        "keeps an exclusive request waiting until the last shared holder is gone",
        "keeps shared requests waiting for an exclusive holder, then serves them together",
        "lets no shared request overtake a waiting exclusive one",
        "tells with `query` who holds and who waits",
      ],
      order.modesApart,
    ],
    [
      "finds no lock available",
      ["gives a free lock to a request with `ifAvailable`"],
      faults.findsNothing,
    ],
    [
      "waits for what is not available",
      ["gives `null` at once to a request with `ifAvailable` while the lock is held"],
      faults.waitsAnyway,
    ],
    [
      "takes an awaited lock for available",
      ["gives `null` to a shared request with `ifAvailable` behind a waiting exclusive one"],
      faults.looksAtHoldersOnly,
    ],
    [
      "ignores signals",
      [
        "lets a waiting request leave, with its signal's reason",
        "refuses a request whose signal is aborted already, and keeps no lock for it",
      ],
      faults.ignoresSignals,
    ],
    [
      "rejects with another reason than the signal's",
      [
        "lets a waiting request leave, with its signal's reason",
        "refuses a request whose signal is aborted already, and keeps no lock for it",
      ],
      faults.rewordsReasons,
    ],
    [
      "keeps a place in the queue for who has left",
      ["goes on for everyone else when a waiting request leaves"],
      faults.keepsGhosts,
    ],
    [
      "takes a lock away with an abort",
      ["takes no lock away when the signal aborts after the grant"],
      faults.abortsHolders,
    ],
    ["hides who waits", ["tells with `query` who holds and who waits"], faults.hidesWaiters],
    ["outlives its holders", ["frees the locks of a holder that dies"], faults.outlivesHolders],
    ["serves the dead", ["grants no lock to a client that died waiting"], faults.servesTheDead],
    ["goes by the time", ["takes no lock from a holder that stands still"], faults.losesPatience],
  ])("%s", async ([, checks, fault]) => {
    expect(await failuresOf(faults.brokenLocks(fault), timeoutMs)).toEqual(checks);
  });
});

test("a fault of exclusion is told, with the checks that were not made because of it", async () => {
  const space = faults.brokenLocks(order.excludesNobody);
  const error: unknown = await checkLockManager(space, { timeoutMs }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConformanceError);
  expect(String(error)).toContain(
    "This lock manager breaks its contract. Failed:\n" +
      "  - gives a lock to one holder at a time: a lock was given to two holders at once",
  );
  expect(error).toMatchObject({ unmade: expect.arrayContaining(["serves requests in turn"]) });
});
