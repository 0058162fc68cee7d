import * as Comlink from "comlink";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { indexedDbDatabase } from "../../../stores/database.js";
import { Host } from "../../../worker/host.js";
import { PROTOCOL } from "../../../worker/names.js";
import type { CoordinatorApi } from "../../../worker/protocol.js";
import { TestChannels } from "../../support/channel.js";
import { TestLocks } from "../../support/locks.js";
import { emptyStorage } from "../stores/indexeddb.js";

const terms = { durability: "strict", completedMs: 1_000, maxCompleted: 10 } as const;
const greeting = { protocol: PROTOCOL, namespace: "shop", terms };

let host: Host;
/** How often the worker has begun to prepare itself. */
let prepared: number;
let goOn: () => void;
const ports: MessagePort[] = [];

beforeEach(() => {
  emptyStorage();
  prepared = 0;
  const ready = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const channels = new TestChannels();
  host = new Host({
    instance: "run-1",
    locks: new TestLocks(),
    clock: systemClock,
    remembers: true,
    openDatabase: (name) => indexedDbDatabase(name),
    openChannel: () => channels.open(),
    prepare() {
      prepared += 1;
      return ready;
    },
  });
});
afterEach(() => {
  host.close();
  for (const port of ports.splice(0)) port.close();
});

/** A tab connects and speaks at once. */
function hello() {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  host.attach(port1);
  return Comlink.wrap<CoordinatorApi>(port2).hello(greeting);
}

describe("a worker that takes its time to start", () => {
  it("loses nothing that the first tabs say meanwhile, and starts once for all of them (C033, automerge/automerge-repo#140)", async () => {
    const hellos = [hello(), hello()];
    await expect.poll(() => prepared).toBe(1);
    hellos.push(hello());
    goOn();
    const answer = { instance: "run-1", ok: true, value: null };
    expect(await Promise.all(hellos)).toEqual([answer, answer, answer]);
    expect(prepared).toBe(1);
  });
});
