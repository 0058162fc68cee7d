import { expectRejection, expectSame, fail } from "./expectations.js";
import type { LockClient, LockRequest, LockWorld } from "./lock-world.js";
import { ODD_KEYS } from "./odd-keys.js";
import type { Check } from "./run-checks.js";

/** One statement about a lock manager. */
export type LockCheck = Check<LockWorld>;

/** The first request to be granted, and the others. */
async function served(requests: LockRequest[], { deadline }: LockClient) {
  const grants = requests.map((request) => request.granted());
  const first = await deadline.within(Promise.race(grants), "every request");
  for (const grant of grants) grant.catch(() => {});
  return { first, others: requests.filter((request) => request !== first) };
}

const gives: LockCheck = {
  name: "gives a free lock, with its name and mode",
  async run(world) {
    const client = await world.client();
    for (const mode of ["exclusive", "shared"] as const) {
      const request = client.ask(`a ${mode} lock`, { mode });
      const lock = await request.called();
      expectSame(lock?.name, `a ${mode} lock`, "the lock's name");
      expectSame(lock?.mode, mode, "the lock's mode");
      await request.release();
    }
  },
};

const answers: LockCheck = {
  name: "gives what the callback gives, or its error",
  after: [gives],
  async run(world) {
    const { locks, deadline } = await world.client();
    const outcome = (name: string, callback: () => unknown) =>
      deadline.within(locks.request(name, callback), `request(${JSON.stringify(name)})`);
    const error = new Error("the callback's");
    const raise = () => {
      throw error;
    };
    expectSame(await outcome("promise", async () => "later"), "later", "a promise's value");
    expectSame(await outcome("value", () => "at once"), "at once", "a plain value");
    for (const [name, callback] of [
      ["rejection", async () => raise()],
      ["throw", raise],
    ] as const) {
      const reason = await expectRejection(() => outcome(name, callback), "a failed callback");
      if (reason !== error) fail("the request was not rejected with its callback's error");
    }
  },
};

const returnsFirst: LockCheck = {
  name: "never calls back before `request` has returned",
  after: [gives],
  async run(world) {
    const client = await world.client();
    const request = client.ask("lock");
    if (request.holds) fail("the callback ran inside of `request`");
    await request.granted();
  },
};

const frees: LockCheck = {
  name: "frees a lock when its callback has ended, well or not",
  after: [gives],
  async run(world) {
    const [first, second, third] = await world.clients();
    await (await first.hold("lock")).release();
    const failing = second.locks.request("lock", async () => {
      throw new Error("the callback's");
    });
    await second.deadline.within(Promise.allSettled([failing]), "a failed request");
    await (await third.hold("lock")).release();
    await (await first.hold("lock")).release();
  },
};

/** Lets each have the lock in turn, and looks whether two have it at once. */
async function takeTurns(world: LockWorld, clients: readonly LockClient[]): Promise<void> {
  let requests = clients.map((client) => client.ask("lock"));
  for (const client of clients) {
    const { first, others } = await served(requests, client);
    await world.round();
    if (others.some((other) => other.holds)) fail("a lock was given to two holders at once");
    await first.release();
    requests = others;
  }
}

/** What coordination rests on. */
export const excludes: LockCheck = {
  name: "gives a lock to one holder at a time",
  after: [frees],
  async run(world) {
    const clients = await world.clients();
    for (const client of clients) await (await client.hold("lock")).release();
    await takeTurns(world, clients);
  },
};

const excludesFirst: LockCheck = {
  name: "excludes from the first use of a name on",
  after: [excludes],
  async run(world) {
    await takeTurns(world, await world.clients());
  },
};

const excludesLate: LockCheck = {
  name: "keeps a held lock from clients that come later",
  after: [excludes],
  async run(world) {
    const owner = await (await world.client()).hold("lock");
    const late = await world.client();
    const request = late.ask("lock");
    await world.round();
    if (request.holds) fail("a lock was given away while its holder lived");
    await owner.release();
    await (await request.granted()).release();
  },
};

/** Who came first is served first. */
export const inTurn: LockCheck = {
  name: "serves requests in turn",
  after: [excludes],
  async run(world) {
    const [owner, other, third] = await world.clients();
    const held = await owner.hold("lock");
    const requests: LockRequest[] = [];
    for (const client of [other, third, owner, other]) {
      requests.push(client.ask("lock"));
      // The order between clients is the order in which the manager hears of them.
      await client.round();
    }
    await held.release();
    for (const [turn, request] of requests.entries()) {
      await request.granted();
      if (requests.slice(turn + 1).some(({ holds }) => holds)) fail("a request was served early");
      await request.release();
    }
  },
};

const keepsApart: LockCheck = {
  name: "keeps locks of different names apart, odd ones too",
  after: [excludes],
  async run(world) {
    const client = await world.client();
    const names = ODD_KEYS.filter((name) => !name.startsWith("-"));
    const held: LockRequest[] = [];
    for (const name of names) held.push(await client.hold(name));
    for (const request of held) await request.release();
  },
};

/** Who may hold a lock, and when. */
export const holding: readonly LockCheck[] = [
  gives,
  answers,
  returnsFirst,
  frees,
  excludes,
  excludesFirst,
  excludesLate,
  inTurn,
  keepsApart,
];
