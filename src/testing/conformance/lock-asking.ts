import { expectSame, fail } from "./expectations.js";
import { excludes, inTurn, type LockCheck } from "./lock-holding.js";
import { together } from "./lock-sharing.js";

const ifAvailable = { ifAvailable: true };

const findsFree: LockCheck = {
  name: "gives a free lock to a request with `ifAvailable`",
  after: [excludes],
  async run(world) {
    const [owner, other] = await world.clients();
    await (await owner.hold("lock")).release();
    await (await other.hold("lock", ifAvailable)).release();
  },
};

const findsHeld: LockCheck = {
  name: "gives `null` at once to a request with `ifAvailable` while the lock is held",
  after: [findsFree],
  async run(world) {
    const [owner, other] = await world.clients();
    const held = await owner.hold("lock");
    const asked = other.ask("lock", ifAvailable);
    if (await asked.called()) fail("a lock was given to two holders at once");
    await asked.release();
    await held.release();
  },
};

const findsAwaited: LockCheck = {
  name: "gives `null` to a shared request with `ifAvailable` behind a waiting exclusive one",
  after: [findsHeld, inTurn],
  async run(world) {
    const [first, second, third] = await world.clients();
    const held = await first.hold("lock", { mode: "shared" });
    const waiting = second.ask("lock");
    await second.round();
    const asked = third.ask("lock", { mode: "shared", ifAvailable: true });
    if (await asked.called()) fail("a request with `ifAvailable` overtook one that waits");
    await asked.release();
    await held.release();
    await (await waiting.granted()).release();
  },
};

const leaves: LockCheck = {
  name: "lets a waiting request leave, with its signal's reason",
  after: [excludes],
  async run(world) {
    const [owner, other] = await world.clients();
    const held = await owner.hold("lock");
    const stop = new AbortController();
    const waiting = other.ask("lock", { signal: stop.signal });
    await other.round();
    const reason = new Error("the waiter's");
    stop.abort(reason);
    if ((await waiting.rejected()) !== reason) fail("it was rejected with another reason");
    await held.release();
  },
};

const goesOn: LockCheck = {
  name: "goes on for everyone else when a waiting request leaves",
  after: [leaves, inTurn],
  async run(world) {
    const [owner, other, third] = await world.clients();
    const held = await owner.hold("lock");
    const stop = new AbortController();
    const leaving = other.ask("lock", { signal: stop.signal });
    await other.round();
    const next = third.ask("lock");
    await third.round();
    stop.abort();
    await leaving.rejected();
    await world.round();
    if (next.holds) fail("an abort gave a held lock away");
    await held.release();
    await (await next.granted()).release();
  },
};

const refusesAborted: LockCheck = {
  name: "refuses a request whose signal is aborted already, and keeps no lock for it",
  after: [excludes],
  async run(world) {
    const [client, other] = await world.clients();
    const reason = new Error("the caller's");
    const request = client.ask("lock", { signal: AbortSignal.abort(reason) });
    if ((await request.rejected()) !== reason) fail("it was rejected with another reason");
    await (await other.hold("lock")).release();
  },
};

const keepsHeld: LockCheck = {
  name: "takes no lock away when the signal aborts after the grant",
  after: [leaves],
  async run(world) {
    const [owner, other] = await world.clients();
    const stop = new AbortController();
    const held = await owner.hold("lock", { signal: stop.signal });
    stop.abort();
    const waiting = other.ask("lock");
    await world.round();
    if (waiting.holds) fail("an abort gave a held lock away");
    await held.release();
    await (await waiting.granted()).release();
  },
};

const tells: LockCheck = {
  name: "tells with `query` who holds and who waits",
  after: [inTurn, together],
  async run(world) {
    const [owner, other] = await world.clients();
    const held = await owner.hold("lock", { mode: "shared" });
    const waiting = other.ask("lock");
    await other.round();
    const about = async () => {
      const { held = [], pending = [] } = await other.deadline.within(
        other.locks.query(),
        "query()",
      );
      const seen = (infos: LockInfo[]) =>
        infos.flatMap(({ name, mode, clientId }) =>
          name === "lock" ? [{ mode, known: typeof clientId === "string" }] : [],
        );
      return { held: seen(held), pending: seen(pending) };
    };
    const expected = {
      held: [{ mode: "shared", known: true }],
      pending: [{ mode: "exclusive", known: true }],
    };
    expectSame(await about(), expected, "what `query` tells");
    await held.release();
    await (await waiting.granted()).release();
    await world.round();
    expectSame(await about(), { held: [], pending: [] }, "what `query` tells of a free lock");
  },
};

/** Requests that don't wait, leave, or only look. */
export const asking: readonly LockCheck[] = [
  findsFree,
  findsHeld,
  findsAwaited,
  leaves,
  goesOn,
  refusesAborted,
  keepsHeld,
  tells,
];
