import { vi } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { type Database, type Durability, indexedDbDatabase } from "../../../stores/database.js";
import { Operations } from "../../../stores/operations.js";
import type { BeginRequest, ClaimRef, OperationRecord } from "../../../stores/records.js";
import type { AllRows } from "../../../stores/rows.js";
import { Coordinator } from "../../../worker/coordinator.js";
import { namesOf } from "../../../worker/names.js";
import type { Answer, FirstAnswer } from "../../../worker/protocol.js";
import { TestChannels } from "../../support/channel.js";
import { hold, TestLocks } from "../../support/locks.js";
import { emptyStorage } from "../stores/indexeddb.js";

const names = namesOf("shop");

/** One browser profile: its storage, locks and channels, and whoever runs in it. */
export class World {
  readonly locks = new TestLocks();
  readonly channels = new TestChannels();
  /** Set: what every transaction fails with. */
  failure: unknown;
  /** Set: looks at what a `strict` transaction has done, and may refuse it. */
  refuses: ((rows: AllRows) => Promise<void>) | undefined;
  /** How many transactions have begun. */
  transactions = 0;
  /** How sure each of them was to be. */
  readonly durabilities: Durability[] = [];
  readonly #database: Database;
  #paused: Promise<void> | undefined;

  constructor() {
    emptyStorage();
    this.#database = indexedDbDatabase(names.database);
  }

  /** A coordinator, of which there may be several. `remembers`: it answers from memory, as a worker's does. */
  coordinator({ remembers = false } = {}): Coordinator {
    const transact: Database["transact"] = async (durability, work) => {
      this.transactions += 1;
      await this.#paused;
      this.durabilities.push(durability);
      if (this.failure !== undefined) throw this.failure;
      return this.#database.transact(durability, async (rows) => {
        const value = await work(rows);
        if (durability === "strict") await this.refuses?.(rows);
        return value;
      });
    };
    const { locks, channels } = this;
    const operations = new Operations({ transact, close() {} });
    return new Coordinator({
      operations,
      names,
      locks,
      channel: channels.open(),
      clock: systemClock,
      remembers,
    });
  }

  /** A tab that is alive. */
  async tab(owner: string): Promise<Tab> {
    const release = await hold(this.locks, names.client(owner));
    return {
      owner,
      asks: (call, over = {}) => request({ owner, call, ...over }),
      rest: release,
      die: () => this.locks.kill(names.client(owner)),
    };
  }

  /** No transaction goes on until the returned function is called. */
  pause(): () => void {
    let resume = () => {};
    this.#paused = new Promise((resolve) => {
      resume = resolve;
    });
    return resume;
  }

  /** The durable record, read past all coordinators. */
  record(key = "order-1"): Promise<OperationRecord | undefined> {
    return this.#database.transact("relaxed", (rows) => rows.record(key));
  }
}

/** A page with open work: it holds a lock. */
export interface Tab {
  readonly owner: string;
  asks(call: string, over?: Partial<BeginRequest>): BeginRequest;
  /** Gives the lock back, as a tab does that has no open work any more. */
  rest(): void;
  /** Crashes. */
  die(): void;
}

const request = (over: Partial<BeginRequest>): BeginRequest => ({
  key: "order-1",
  tool: "cancel_order",
  call: "a",
  attempt: 0,
  owner: "tab",
  reserve: false,
  ...over,
});

/** Begins and, where told to, waits. */
export async function answerTo(coordinator: Coordinator, asked: BeginRequest): Promise<Answer> {
  const first = await inTime(coordinator.begin(asked));
  if (first.state !== "waiting") return first;
  return waitFor(coordinator, asked.call);
}

/** Stands in the queue, and says so; fails if there was no need to. */
export async function queued(coordinator: Coordinator, asked: BeginRequest): Promise<void> {
  const { state } = await inTime(coordinator.begin(asked));
  if (state !== "waiting") throw new Error(`The call does not wait: ${state}.`);
}

/** More than any answer takes that waits for nothing. */
const TASKS = 100;

/** The answer. Where time is stopped, it passes until then, if the answer waits for that. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  let settled = !vi.isFakeTimers();
  const settle = () => {
    settled = true;
  };
  answer.then(settle, settle);
  for (let tasks = 0; !settled; tasks++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (tasks > TASKS) vi.advanceTimersByTime(1);
  }
  return answer;
}

/** The answer for a call that stands in the queue. */
export async function waitFor(coordinator: Coordinator, call: string): Promise<Answer> {
  const answer = await coordinator.wait(call);
  if (!answer) throw new Error("The coordinator does not know the call.");
  return answer;
}

/** The claim that a call was given; fails if it got none. */
export function claimOf(asked: BeginRequest, answer: FirstAnswer): ClaimRef {
  if (answer.state !== "granted") throw new Error(`The call got no claim: ${answer.state}.`);
  return { key: asked.key, call: asked.call, fence: answer.fence };
}

/** Begins and gets the claim at once. */
export async function claim(coordinator: Coordinator, asked: BeginRequest): Promise<ClaimRef> {
  return claimOf(asked, await answerTo(coordinator, asked));
}

/** A claim as a completion names it. */
export const intended = (ref: ClaimRef) => ({ ...ref, tool: "cancel_order" });
