import { lacking } from "./expectations.js";
import type { JournalWorld } from "./journal-world.js";
import { ODD_KEYS } from "./odd-keys.js";
import type { Check } from "./run-checks.js";

type JournalCheck = Check<JournalWorld>;

const VALUES = [{ order: "17", lines: [1, { note: null }] }, [], "text", "", 0, false, null];

const startsEmpty: JournalCheck = {
  name: "has no entry before one is written",
  async run(world) {
    const tab = await world.tab();
    await (await tab.operation("key")).reads(undefined);
  },
};

const readsBack: JournalCheck = {
  name: "reads back what was written",
  after: [startsEmpty],
  async run(world) {
    const tab = await world.tab();
    for (const [index, value] of VALUES.entries()) {
      const entry = await tab.operation(`key ${index}`);
      await entry.write(value);
      await entry.reads(value);
    }
  },
};

const overwrites: JournalCheck = {
  name: "puts a later entry in place of an earlier one",
  after: [readsBack],
  async run(world) {
    const tab = await world.tab();
    const entry = await tab.operation("key");
    await entry.write({ step: 1, note: "first" });
    await entry.write({ step: 2 });
    await entry.reads({ step: 2 });
  },
};

const removes: JournalCheck = {
  name: "removes an entry",
  after: [readsBack],
  async run(world) {
    const tab = await world.tab();
    const entry = await tab.operation("key");
    await entry.write("written");
    await entry.remove();
    await entry.reads(undefined);
  },
};

const removesNothing: JournalCheck = {
  name: "removes nothing where there is no entry, without an error",
  after: [removes],
  async run(world) {
    const tab = await world.tab();
    const entry = await tab.operation("key");
    await entry.remove();
    await entry.write("written");
    await entry.remove();
    await entry.remove();
    await entry.reads(undefined);
  },
};

const separatesKeys: JournalCheck = {
  name: "keeps the entries of different keys apart, whatever their text",
  after: [removes],
  async run(world) {
    const tab = await world.tab();
    const entries = await Promise.all(ODD_KEYS.map((key) => tab.operation(key)));
    for (const [index, entry] of entries.entries()) {
      await entry.reads(undefined);
      await entry.write(index);
    }
    for (const [index, entry] of entries.entries()) {
      await entry.reads(index);
      await entry.remove();
    }
  },
};

const shares: JournalCheck = {
  name: "shows an entry to every tab that its scope names",
  after: [overwrites, removes],
  async run(world) {
    const writer = await world.tab();
    const reader = await world.tab();
    if (writer.scope !== "profile") lacking("its `scope` is one tab");
    const entry = await writer.operation("key");
    await entry.write("written");
    await reader.entry("key").reads("written");
    await entry.write("again");
    await reader.entry("key").reads("again");
    await entry.remove();
    await reader.entry("key").reads(undefined);
  },
};

const outlives: JournalCheck = {
  name: "keeps an entry for other tabs when its writer crashes",
  after: [shares],
  async run(world) {
    const writer = await world.tab();
    if (writer.scope !== "profile") lacking("its `scope` is one tab");
    await (await writer.operation("key")).write("written");
    await world.crash(writer);
    await (await world.tab()).entry("key").reads("written");
  },
};

const keepsOperations: JournalCheck = {
  name: "keeps an operation and its entry apart, and both through a takeover",
  after: [overwrites],
  async run(world) {
    const tab = await world.tab();
    const claim = await tab.keys.own("key");
    await tab.entry("key", claim).write("written");
    await claim.abandon();
    const takeover = await tab.keys.takeOver("key");
    await tab.entry("key", takeover).reads("written");
    await takeover.complete("output");
    await tab.keys.call("key").replays("output");
  },
};

/** The journal contract. */
export const journalChecks: readonly JournalCheck[] = [
  startsEmpty,
  readsBack,
  overwrites,
  removes,
  removesNothing,
  separatesKeys,
  shares,
  outlives,
  keepsOperations,
];
