import { expectSame, fail, lacking } from "./expectations.js";
import type { Call } from "./store-calls.js";
import type { StoreCheck } from "./store-check.js";
import { frees, leavesDoubt, replays } from "./store-owning.js";
import type { Tab } from "./store-world.js";

/** Waits for one of the waiting calls to be answered. */
async function served(calls: readonly Call[], { deadline }: Tab) {
  const ends = calls.map((call) => call.ended().then(() => call));
  const first = await deadline.within(Promise.race(ends), "every waiting call");
  return { first, others: calls.filter((call) => call !== first) };
}

const oneOwner: StoreCheck = {
  name: "gives a key to one owner at a time",
  after: [replays, frees],
  async run(world) {
    const [owner, other] = await world.tabs();
    const claim = await owner.own("key");
    const rivals = [await other.wait("key"), await owner.wait("key")];
    // A store that does not say who waits has had the time of a whole operation to answer.
    await (await other.own("another key")).release();
    if (rivals.some((rival) => rival.claim)) fail("a key was given away while its owner lived");
    for (const rival of rivals) rival.leave("enough");
    await claim.complete("done");
  },
};

/** A completion answers everyone. */
export const wakesAll: StoreCheck = {
  name: "wakes every waiter when the owner completes",
  after: [oneOwner],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    const claim = await owner.own("key");
    const waiters = [
      await other.wait("key"),
      await third.wait("key"),
      await other.wait("key"),
      await owner.wait("key"),
    ];
    await claim.complete({ done: true });
    for (const waiter of waiters) await waiter.replays({ done: true });
  },
};

/** A release answers one. */
export const handsOver: StoreCheck = {
  name: "hands a released key to one waiter, and its output to the others",
  after: [wakesAll],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    const claim = await owner.own("key");
    const waiters = [await other.wait("key"), await third.wait("key")];
    await claim.release();
    const { first, others } = await served(waiters, owner);
    await (await first.fresh()).complete("done");
    for (const waiter of others) await waiter.replays("done");
  },
};

/** Doubt answers one. */
export const handsDoubtOver: StoreCheck = {
  name: "hands a key in doubt to one waiter, and its output to the others",
  after: [wakesAll, leavesDoubt],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    const claim = await owner.own("key");
    const waiters = [await other.wait("key"), await third.wait("key")];
    await claim.abandon();
    const { first, others } = await served(waiters, owner);
    await (await first.inDoubt()).complete("done");
    for (const waiter of others) await waiter.replays("done");
  },
};

const contends: StoreCheck = {
  name: "serves many callers of one key one by one",
  after: [handsOver],
  async run(world) {
    const tabs = await world.tabs();
    let owners = 0;
    const calls = [...tabs, ...tabs, ...tabs].map(async (tab, index) => {
      const claim = await tab.own("key");
      owners++;
      // Time for a second owner to appear.
      await (await tab.own(`another key ${index}`)).release();
      expectSame(owners, 1, "the number of owners");
      owners--;
      await claim.release();
    });
    await Promise.all(calls);
  },
};

const inTurn: StoreCheck = {
  name: "serves one key's waiters in turn",
  after: [handsOver, handsDoubtOver],
  async run(world) {
    if (!world.notices) lacking("it never calls `onWait`, which tells who came first");
    const [owner, other, third] = await world.tabs();
    for (const way of ["release", "abandon"] as const) {
      let claim = await owner.own(way);
      const waiters = [
        await other.wait(way),
        await third.wait(way),
        await owner.wait(way),
        await other.wait(way),
      ];
      for (const [turn, waiter] of waiters.entries()) {
        await claim[way]();
        const { first } = await served(waiters.slice(turn), owner);
        if (first !== waiter) fail(`after a ${way}, a later waiter was served first`);
        claim = await (way === "release" ? waiter.fresh() : waiter.inDoubt());
      }
      await claim.complete("done");
    }
  },
};

const notifies: StoreCheck = {
  name: "says once that a call waits, and only if it does",
  after: [wakesAll],
  async run(world) {
    if (!world.notices) lacking("it never calls `onWait`");
    const [owner, other] = await world.tabs();
    const free = owner.call("key");
    const claim = await free.fresh();
    const waiter = await other.wait("key");
    await claim.complete("done");
    await waiter.replays("done");
    const late = other.call("key");
    await late.replays("done");
    expectSame(
      [free, waiter, late].map(({ notices }) => notices),
      [0, 1, 0],
      "the notices given",
    );
  },
};

/** Who waits for a key, and what ends the waiting. */
export const waiting: readonly StoreCheck[] = [
  oneOwner,
  wakesAll,
  handsOver,
  handsDoubtOver,
  contends,
  inTurn,
  notifies,
];
