import { fail } from "./expectations.js";
import type { StoreCheck } from "./store-check.js";
import { frees, leavesDoubt, replays } from "./store-owning.js";

const needsClaim: StoreCheck = {
  name: "refuses to settle without a claim",
  after: [replays, frees],
  async run(world) {
    const [owner, other] = await world.tabs();
    await other.refusesSettling("free", "on a key that nobody has claimed");
    await (await owner.own("free")).release();
    const claim = await owner.own("owned");
    await other.refusesSettling("owned", "on another tab's claim");
    await claim.complete("the owner's output");
    await owner.refusesSettling("owned", "on a claim that is settled", claim.begun.fence);
    await other.call("owned").replays("the owner's output");
  },
};

const refusesStale: StoreCheck = {
  name: "refuses a stale fence",
  after: [needsClaim, leavesDoubt],
  async run(world) {
    const [first, second] = await world.tabs();
    for (const next of [first, second]) {
      const key = `then ${next.label}`;
      const stale = await first.own(key);
      const { fence } = stale;
      await stale.abandon();
      const claim = await next.takeOver(key);
      await first.refusesSettling(key, `with the fence of a claim before ${next.label}'s`, fence);
      await claim.complete("the owner's output");
      await first.call(key).replays("the owner's output");
    }
  },
};

const fencesGrow: StoreCheck = {
  name: "gives each claim of a key a larger fence",
  after: [frees, leavesDoubt],
  async run(world) {
    const [one, two] = await world.tabs();
    const fences: number[] = [];
    const released = await one.own("key");
    fences.push(released.fence);
    await released.release();
    const abandoned = await two.own("key");
    fences.push(abandoned.fence);
    await abandoned.abandon();
    fences.push((await one.takeOver("key")).fence);
    const grows = fences.every((fence, index) => index === 0 || fence > Number(fences[index - 1]));
    if (!grows) fail(`the fences were ${fences.join(", ")}`);
  },
};

const startsReserved: StoreCheck = {
  name: "starts and settles a reserved claim",
  after: [replays, frees],
  async run(world) {
    const [owner, other] = await world.tabs();
    const reserved = await owner.own("key", { reserve: true });
    await reserved.release();
    const started = await other.own("key", { reserve: true });
    await started.start();
    await started.complete("done");
    await owner.call("key").replays("done");
  },
};

/** Who may settle a claim. */
export const settling: readonly StoreCheck[] = [
  needsClaim,
  refusesStale,
  fencesGrow,
  startsReserved,
];
