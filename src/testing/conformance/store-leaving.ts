import { fail } from "./expectations.js";
import type { StoreCheck } from "./store-check.js";
import { frees } from "./store-owning.js";
import { handsDoubtOver, handsOver, wakesAll } from "./store-waiting.js";

const refusesAborted: StoreCheck = {
  name: "claims nothing for a call that is aborted already",
  after: [frees],
  async run(world) {
    const [leaver, other] = await world.tabs();
    const reason = new Error("too late");
    const call = leaver.call("key", { signal: AbortSignal.abort(reason) });
    if ((await call.refused()) !== reason) fail("begin rejected, but not with the signal's reason");
    await other.own("key");
  },
};

const letsLeave: StoreCheck = {
  name: "lets a waiter leave, with its signal's reason",
  after: [wakesAll],
  async run(world) {
    const [owner, other] = await world.tabs();
    await owner.own("key");
    for (const tab of [other, owner]) {
      const call = await tab.wait("key");
      const reason = new Error("enough");
      call.leave(reason);
      if ((await call.refused()) !== reason) {
        fail("begin rejected, but not with the signal's reason");
      }
    }
  },
};

const disturbsNobody: StoreCheck = {
  name: "goes on for everyone else when a waiter leaves",
  after: [letsLeave, handsOver, handsDoubtOver],
  async run(world) {
    const [owner, leaver, other] = await world.tabs();
    for (const way of ["complete", "release", "abandon"] as const) {
      const claim = await owner.own(way);
      const left = await leaver.wait(way);
      const waiter = await other.wait(way);
      left.leave("enough");
      await left.refused();
      if (way === "complete") {
        await claim.complete("done");
        await waiter.replays("done");
        continue;
      }
      await claim[way]();
      const next = await (way === "release" ? waiter.fresh() : waiter.inDoubt());
      await next.complete("done");
      await leaver.call(way).replays("done");
    }
  },
};

const leavesNoGhost: StoreCheck = {
  name: "keeps no key for a waiter that has left",
  after: [letsLeave],
  async run(world) {
    const [owner, leaver, other] = await world.tabs();
    const claim = await owner.own("key");
    const left = await leaver.wait("key");
    left.leave("enough");
    await left.refused();
    await claim.release();
    await other.own("key");
  },
};

/** What a caller that goes away leaves behind. */
export const leaving: readonly StoreCheck[] = [
  refusesAborted,
  letsLeave,
  disturbsNobody,
  leavesNoGhost,
];
