import { expectSame, lacking } from "./expectations.js";
import type { Claim } from "./store-calls.js";
import type { StoreCheck } from "./store-check.js";
import { leavesDoubt } from "./store-owning.js";

/** What the store remembers of the earlier owner: whether its handler had returned. */
function executedOf({ begun }: Claim): boolean {
  if (begun.state !== "in_flight" || begun.executed === undefined) {
    lacking("it does not remember whether a handler returned");
  }
  return begun.executed;
}

/** What the store remembers of the earlier owner: where its journal entry is. */
function journalKeyOf({ begun }: Claim): string | null {
  if (begun.state !== "in_flight" || begun.journalKey === undefined) {
    lacking("it does not remember journal keys");
  }
  return begun.journalKey;
}

const remembersExecuted: StoreCheck = {
  name: "remembers that a handler returned, through every takeover",
  after: [leavesDoubt],
  async run(world) {
    const [one, two] = await world.tabs();
    await (await one.own("key")).abandon();
    const unexecuted = await two.takeOver("key");
    expectSame(executedOf(unexecuted), false, "`executed` before a handler returned");
    await unexecuted.abandon({ executed: true });
    const executed = await one.takeOver("key");
    expectSame(executedOf(executed), true, "`executed` after a handler returned");
    await executed.abandon();
    expectSame(executedOf(await two.takeOver("key")), true, "`executed` after one more takeover");
  },
};

const remembersJournalKey: StoreCheck = {
  name: "remembers the first owner's journal key, through every takeover",
  after: [leavesDoubt],
  async run(world) {
    const [one, two] = await world.tabs();
    await (await one.own("named", { journalKey: "entry" })).abandon();
    const takeover = await two.takeOver("named", { journalKey: "elsewhere" });
    expectSame(journalKeyOf(takeover), "entry", "`journalKey`");
    await takeover.abandon();
    expectSame(journalKeyOf(await one.takeOver("named")), "entry", "`journalKey`, once more");
    await (await one.own("unnamed")).abandon();
    const unnamed = await two.takeOver("unnamed", { journalKey: "elsewhere" });
    expectSame(journalKeyOf(unnamed), null, "`journalKey` of an owner that named none");
  },
};

const startsAnew: StoreCheck = {
  name: "forgets the earlier owner when a takeover starts afresh",
  after: [remembersExecuted, remembersJournalKey],
  async run(world) {
    const [one, two] = await world.tabs();
    await (await one.own("key", { journalKey: "entry" })).abandon({ executed: true });
    const takeover = await two.takeOver("key", { journalKey: "elsewhere" });
    await takeover.start({ fresh: true, journalKey: "elsewhere" });
    await takeover.abandon();
    const next = await one.takeOver("key");
    expectSame(executedOf(next), false, "`executed`");
    expectSame(journalKeyOf(next), "elsewhere", "`journalKey`");
  },
};

/** What a takeover learns of the owner before it. */
export const recovering: readonly StoreCheck[] = [
  remembersExecuted,
  remembersJournalKey,
  startsAnew,
];
