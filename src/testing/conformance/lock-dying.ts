import { fail } from "./expectations.js";
import { excludes, inTurn, type LockCheck } from "./lock-holding.js";

const freesDead: LockCheck = {
  name: "frees the locks of a holder that dies",
  after: [excludes],
  async run(world) {
    const [owner, other] = await world.clients();
    await owner.hold("lock");
    await owner.hold("another lock", { mode: "shared" });
    const waiting = [other.ask("lock"), other.ask("another lock")];
    await other.round();
    await world.crash(owner);
    for (const request of waiting) await (await request.granted()).release();
  },
};

const forgetsDead: LockCheck = {
  name: "grants no lock to a client that died waiting",
  after: [freesDead, inTurn],
  async run(world) {
    const [owner, dead, other] = await world.clients();
    const held = await owner.hold("lock");
    dead.ask("lock");
    await dead.round();
    const next = other.ask("lock");
    await other.round();
    await world.crash(dead);
    await held.release();
    await (await next.granted()).release();
  },
};

const knowsNoTime: LockCheck = {
  name: "takes no lock from a holder that stands still",
  after: [excludes],
  async run(world) {
    const [owner, other] = await world.clients();
    const held = await owner.hold("lock");
    const waiting = other.ask("lock");
    await other.round();
    await world.freeze(owner);
    if (waiting.holds) fail("a lock was given away while its holder lived");
    await held.release();
    await (await waiting.granted()).release();
  },
};

/** What ends a holding besides its callback: death, and nothing else. */
export const dying: readonly LockCheck[] = [freesDead, forgetsDead, knowsNoTime];
