import { fail } from "./expectations.js";
import { excludes, type LockCheck } from "./lock-holding.js";

const mode = "shared";

/** Shared requests go together. */
export const together: LockCheck = {
  name: "lets shared requests hold a lock together",
  after: [excludes],
  async run(world) {
    const [first, second] = await world.clients();
    const held = [await first.hold("lock", { mode }), await second.hold("lock", { mode })];
    for (const request of held) await request.release();
  },
};

const waitsForAll: LockCheck = {
  name: "keeps an exclusive request waiting until the last shared holder is gone",
  after: [together],
  async run(world) {
    const [first, second, third] = await world.clients();
    const held = [await first.hold("lock", { mode }), await second.hold("lock", { mode })];
    const exclusive = third.ask("lock");
    for (const request of held) {
      await world.round();
      if (exclusive.holds) fail("an exclusive lock was given beside a shared one");
      await request.release();
    }
    await (await exclusive.granted()).release();
  },
};

const waitsForExclusive: LockCheck = {
  name: "keeps shared requests waiting for an exclusive holder, then serves them together",
  after: [together],
  async run(world) {
    const [owner, second, third] = await world.clients();
    const held = await owner.hold("lock");
    const shared = [second.ask("lock", { mode }), third.ask("lock", { mode })];
    await world.round();
    if (shared.some(({ holds }) => holds)) fail("a shared lock was given beside an exclusive one");
    await held.release();
    for (const request of shared) await request.granted();
    for (const request of shared) await request.release();
  },
};

const noOvertaking: LockCheck = {
  name: "lets no shared request overtake a waiting exclusive one",
  after: [together],
  async run(world) {
    const [first, second, third] = await world.clients();
    const held = await first.hold("lock", { mode });
    const exclusive = second.ask("lock");
    await second.round();
    const late = third.ask("lock", { mode });
    await world.round();
    if (late.holds) fail("a shared request overtook an exclusive one");
    await held.release();
    await (await exclusive.granted()).release();
    await (await late.granted()).release();
  },
};

/** What shared and exclusive requests are to each other. */
export const sharing: readonly LockCheck[] = [
  together,
  waitsForAll,
  waitsForExclusive,
  noOvertaking,
];
