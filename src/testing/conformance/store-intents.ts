import { fail } from "./expectations.js";
import type { CallOptions } from "./store-calls.js";
import type { StoreCheck } from "./store-check.js";
import { leavesDoubt, replays } from "./store-owning.js";
import type { Tab } from "./store-world.js";

const MINE: CallOptions = { tool: "cancel_order", fingerprint: "mine" };
const OTHERS: readonly CallOptions[] = [
  { tool: "refund_order", fingerprint: "mine" },
  { tool: "cancel_order", fingerprint: "another" },
  { tool: "cancel_order" },
];

async function refusesOthers(tab: Tab, key: string): Promise<void> {
  for (const options of OTHERS) {
    const error = await tab.call(key, options).refused();
    const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
    if (code !== "idempotency_conflict") {
      fail(`begin was refused with ${error}, not with an IdempotencyConflictError`);
    }
  }
}

const refusesCompleted: StoreCheck = {
  name: "refuses to replay an output for another intent",
  after: [replays],
  async run(world) {
    const [owner, other] = await world.tabs();
    await (await owner.own("key", MINE)).complete("mine");
    await refusesOthers(other, "key");
    await other.call("key", MINE).replays("mine");
  },
};

const refusesClaimed: StoreCheck = {
  name: "refuses a live owner's key for another intent",
  after: [refusesCompleted],
  async run(world) {
    const [owner, other] = await world.tabs();
    const claim = await owner.own("key", MINE);
    await refusesOthers(other, "key");
    await claim.complete("mine");
    await other.call("key", MINE).replays("mine");
  },
};

const refusesDoubt: StoreCheck = {
  name: "refuses a key in doubt for another intent",
  after: [refusesCompleted, leavesDoubt],
  async run(world) {
    const [owner, other] = await world.tabs();
    await (await owner.own("key", MINE)).abandon();
    await refusesOthers(other, "key");
    await other.takeOver("key", MINE);
  },
};

/** One key is one intent: a tool and a fingerprint. */
export const intents: readonly StoreCheck[] = [refusesCompleted, refusesClaimed, refusesDoubt];
