import { ODD_KEYS } from "./odd-keys.js";
import type { StoreCheck } from "./store-check.js";

const VALUES = [{ order: "17", lines: [1, { note: null }] }, [], "text", "", 0, false, null];

const givesFree: StoreCheck = {
  name: "gives a free key to its first caller",
  async run(world) {
    const tab = await world.tab();
    await tab.own("key");
  },
};

/** The output is stored. */
export const replays: StoreCheck = {
  name: "replays a stored output in every tab",
  after: [givesFree],
  async run(world) {
    const [owner, other] = await world.tabs();
    for (const [index, value] of VALUES.entries()) {
      const claim = await owner.own(`key ${index}`);
      await claim.complete(value);
      await other.call(`key ${index}`).replays(value);
      await owner.call(`key ${index}`).replays(value);
    }
  },
};

const replaysUndefined: StoreCheck = {
  name: "replays `undefined` as an output",
  after: [replays],
  async run(world) {
    const [owner, other] = await world.tabs();
    const claim = await owner.own("key");
    await claim.complete(undefined);
    await other.call("key").replays(undefined);
    await owner.call("key").replays(undefined);
  },
};

/** A release frees. */
export const frees: StoreCheck = {
  name: "frees a released key",
  after: [givesFree],
  async run(world) {
    const [owner, other] = await world.tabs();
    await (await owner.own("key")).release();
    await (await other.own("key")).release();
    await owner.own("key");
  },
};

/** An owner that gives up leaves doubt. */
export const leavesDoubt: StoreCheck = {
  name: "leaves an abandoned key in doubt until it is settled",
  after: [givesFree],
  async run(world) {
    const [owner, other] = await world.tabs();
    await (await owner.own("key")).abandon();
    await (await other.takeOver("key")).abandon();
    await owner.takeOver("key");
  },
};

const endsDoubt: StoreCheck = {
  name: "ends doubt when a takeover completes or releases",
  after: [leavesDoubt, replays, frees],
  async run(world) {
    const [owner, other] = await world.tabs();
    await (await owner.own("completed")).abandon();
    await (await other.takeOver("completed")).complete("recovered");
    await owner.call("completed").replays("recovered");
    await (await owner.own("released")).abandon();
    await (await other.takeOver("released")).release();
    await owner.own("released");
  },
};

const separatesKeys: StoreCheck = {
  name: "gives different keys to different owners at the same time",
  after: [replays],
  async run(world) {
    const [one, two] = await world.tabs();
    const first = await one.own("first");
    const second = await one.own("second");
    const third = await two.own("third");
    await third.complete(3);
    await first.complete(1);
    await second.complete(2);
    await two.call("first").replays(1);
    await two.call("second").replays(2);
    await one.call("third").replays(3);
  },
};

const takesAnyText: StoreCheck = {
  name: "takes any text of up to 1,024 characters as a key",
  after: [separatesKeys],
  async run(world) {
    const [owner, other] = await world.tabs();
    const claims = await Promise.all(ODD_KEYS.map((key) => owner.own(key)));
    for (const [index, claim] of claims.entries()) await claim.complete(index);
    for (const [index, key] of ODD_KEYS.entries()) await other.call(key).replays(index);
  },
};

/** Who gets a key, and what is left of it. */
export const owning: readonly StoreCheck[] = [
  givesFree,
  replays,
  replaysUndefined,
  frees,
  leavesDoubt,
  endsDoubt,
  separatesKeys,
  takesAnyText,
];
