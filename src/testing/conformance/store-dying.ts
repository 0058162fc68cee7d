import type { StoreCheck } from "./store-check.js";
import { leavesDoubt, replays } from "./store-owning.js";
import { handsDoubtOver, handsOver } from "./store-waiting.js";

const keepsDoubt: StoreCheck = {
  name: "leaves a crashed owner's started claim in doubt",
  after: [leavesDoubt],
  async run(world) {
    const [owner, other] = await world.tabs();
    await owner.own("key");
    await world.crash(owner);
    await other.takeOver("key");
  },
};

const handsDoubtOn: StoreCheck = {
  name: "hands a crashed owner's key to its waiter, in doubt",
  after: [keepsDoubt, handsDoubtOver],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    await owner.own("key");
    const waiter = await other.wait("key");
    await world.crash(owner);
    await (await waiter.inDoubt()).complete("recovered");
    await third.call("key").replays("recovered");
  },
};

const keepsTakeover: StoreCheck = {
  name: "leaves a key in doubt when its takeover crashes",
  after: [keepsDoubt],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    await (await owner.own("key")).abandon();
    await other.takeOver("key");
    await world.crash(other);
    await third.takeOver("key");
  },
};

const freesReserved: StoreCheck = {
  name: "frees a crashed owner's reserved claim",
  after: [handsOver, keepsDoubt],
  async run(world) {
    const [owner, other, third] = await world.tabs();
    const started = await owner.own("started", { reserve: true });
    await started.start();
    await owner.own("awaited", { reserve: true });
    const waiter = await other.wait("awaited");
    await owner.own("key", { reserve: true });
    await world.crash(owner);
    await third.own("key");
    await waiter.fresh();
    await third.takeOver("started");
  },
};

const forgetsWaiters: StoreCheck = {
  name: "hands no key to a waiter that has crashed",
  after: [handsOver, keepsDoubt],
  async run(world) {
    const [owner, dead, other] = await world.tabs();
    const claim = await owner.own("key");
    await dead.wait("key");
    const waiter = await other.wait("key");
    await world.crash(dead);
    await claim.release();
    await waiter.fresh();
  },
};

const outlives: StoreCheck = {
  name: "keeps outputs and doubt when every tab is gone",
  after: [replays, keepsDoubt],
  async run(world) {
    const owner = await world.tab();
    await (await owner.own("completed")).complete("done");
    await (await owner.own("abandoned")).abandon();
    await owner.own("started");
    await world.crash(owner);
    const later = await world.tab();
    await later.call("completed").replays("done");
    await later.takeOver("abandoned");
    await later.takeOver("started");
  },
};

/** What a tab that crashes leaves behind. */
export const dying: readonly StoreCheck[] = [
  keepsDoubt,
  handsDoubtOn,
  keepsTakeover,
  freesReserved,
  forgetsWaiters,
  outlives,
];
