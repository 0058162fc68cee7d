import { IdempotencyConflictError, OutcomeUnknownError } from "../../src/index.js";
import { machinery } from "../../src/machinery.js";
import type { Surroundings } from "../../src/testing/profile/browser.js";
import type { VirtualPage } from "../../src/testing/profile/page.js";
import type { Call, End } from "./application.js";
import { judgeEnd } from "./ends.js";
import { calmDown, happen } from "./faults.js";
import { CALM_CALL, KEYS, type Key, type Plan } from "./plan.js";
import type { Transition } from "./transitions.js";
import { must, Violation } from "./violation.js";
import { World } from "./world.js";

/** What came of a plan. */
export interface Outcome {
  readonly steps: number;
  readonly faults: number;
  readonly transitions: readonly Transition[];
  readonly violation: string | undefined;
}

/** Longer than everything that the product waits for, in milliseconds. */
const MAX_MS = 600_000;
/** Lives a plan to its end: its faults stop, every call ends, every key is answered, and nothing is left behind. */
export async function live(plan: Plan, watch: (world: World) => void = () => {}): Promise<Outcome> {
  // It is loaded once, in real time, which must not pass in a life.
  await machinery();
  const world = new World(plan);
  watch(world);
  let violation: string | undefined;
  try {
    const life = new Life(world, plan);
    await life.liveThrough(plan);
    await life.end();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    violation = error.message;
  }
  const { faults, transitions, browser } = world;
  return { steps: browser.schedule.steps, faults, transitions, violation };
}

class Life {
  readonly #world: World;
  /** How many of the calls that have ended were judged. */
  readonly #judged = new Set<Call>();
  readonly #anyCodec: boolean;

  constructor(world: World, { profiles }: Plan) {
    this.#world = world;
    this.#anyCodec = profiles.some(({ codec }) => codec !== "none");
  }

  async liveThrough({ steps }: Plan): Promise<void> {
    for (const step of steps) {
      for (let i = 0; i < step.after && (await this.#step()); i++);
      happen(this.#world, step);
      await this.#pause();
    }
  }

  async end(): Promise<void> {
    const world = this.#world;
    calmDown(world);
    await this.#until(
      () => world.calls.every(({ end, page }) => end || !page.alive),
      "A call never ended.",
    );
    await this.#until(() => world.administrators.done, "A purge or a review never ended.");
    const open = (page: VirtualPage) => world.isOpen(page);
    await this.#until(() => !world.livePages.some(open), "A tab without open calls kept a lock.");
    const connections = ({ surroundings }: VirtualPage) =>
      world.browser.openPortsOf(surroundings.process);
    must(
      world.livePages.every((page) => connections(page) <= 1),
      "A tab kept a line too many.",
    );
    for (const key of KEYS) await this.#probe(key);
    for (const page of world.livePages) page.profile.close();
    for (const worker of world.workers.running) if (worker.hangs) worker.end();
    await this.#until(() => !this.#anythingLeft(), "Something was left behind.");
  }

  /** A new tab asks: the key has had its effect, once, and the answer is its receipt. */
  async #probe(key: Key): Promise<void> {
    const world = this.#world;
    // A dead tab's claim may still be on its way.
    await this.#pass(0);
    const page = world.open(0);
    const begun = world.browser.schedule.steps;
    let end = await this.#ask(page, key);
    for (let again = 0; again < PUT_OFF && isPutOff(end); again++) {
      await this.#pass(PUT_OFF_MS);
      end = await this.#ask(page, key);
    }
    if ("error" in end) throw new Violation(`"${key}" has no answer any more: ${end.error}`);
    const isStored = world.commits.history.some(key, begun, (now) => now?.state === "completed");
    must(isStored, `"${key}" has an answer and no record of it.`);
    page.profile.close();
  }

  /** Calls with the intent that the key has now. */
  #ask(page: VirtualPage, key: Key): Promise<End> {
    const { browser, calls } = this.#world;
    const record = browser.database.contents.records.get(key);
    const second = record && "fingerprint" in record && record.fingerprint === "second";
    const intent = second ? "second" : "first";
    // Who has left no trace, or none that can be read, can be asked for by the order's number only.
    const recover = this.#anyCodec || calls.some(leavesNoTrace(key)) ? "asks by key" : "asks";
    return this.#answer(this.#world.call(page, { ...CALM_CALL, key, intent, recover }));
  }

  async #answer(call: Call): Promise<End> {
    await this.#until(() => call.end !== undefined, "Nobody can have a key any more.");
    if (!call.end) throw new Violation("A call ended without an end.");
    return call.end;
  }

  async #pass(ms: number): Promise<void> {
    const { time } = this.#world.browser;
    const end = time.elapsed + ms;
    for (;;) {
      if (await this.#step()) continue;
      if (time.elapsed >= end) return;
      time.passTo(Math.min(time.nextDue ?? end, end));
    }
  }

  /** Lets everything happen, and time pass when nothing else can, until it holds. */
  async #until(holds: () => boolean, otherwise: string): Promise<void> {
    const { time } = this.#world.browser;
    const end = time.elapsed + MAX_MS;
    while (!holds()) {
      if (await this.#step()) continue;
      if (holds()) return;
      const due = time.nextDue;
      if (due === undefined || due > end) throw new Violation(otherwise);
      this.#world.rest(due);
      time.passTo(due);
    }
  }

  async #step(): Promise<boolean> {
    const world = this.#world;
    const stepped = world.browser.schedule.step();
    if (!stepped) world.rest(world.browser.time.elapsed);
    await this.#pause();
    return stepped;
  }

  /** All microtasks run, and what came of them is judged. */
  async #pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const { violation, calls, ledger } = this.#world;
    ledger.look();
    if (violation) throw violation;
    for (const call of calls) {
      if (!call.end || this.#judged.has(call)) continue;
      this.#judged.add(call);
      judgeEnd(this.#world, call, call.end);
    }
  }

  #anythingLeft(): boolean {
    const { browser, workers, livePages } = this.#world;
    const { held, pending } = browser.lockInfo();
    // A worker keeps its own lock, its share of the memory's, and a timer for its housekeeping, until its last page is closed.
    const locks = held.filter(({ name = "" }) => !/:(worker:|memory$)/.test(name));
    const timers = (
      processes: readonly { readonly surroundings: Surroundings }[],
      allowed: number,
    ) =>
      processes.some(({ surroundings }) => browser.time.timersOf(surroundings.process) > allowed);
    const ports = livePages.some(
      ({ surroundings }) => browser.openPortsOf(surroundings.process) > 0,
    );
    const left = locks.length + pending.length > 0 || ports;
    return left || timers(livePages, 0) || timers(workers.running, 1);
  }
}

/**
 * Recovery has failed too often to be asked at once, or a caller who has left is just giving back a claim of another intent: how
 * often that can be, and how long it can take, in milliseconds.
 */
const PUT_OFF = 2;
const PUT_OFF_MS = 60_000;

const isPutOff = (end: End): boolean =>
  "error" in end &&
  (end.error instanceof OutcomeUnknownError || end.error instanceof IdempotencyConflictError);

const leavesNoTrace =
  (key: Key) =>
  ({ step }: Call): boolean =>
    step.key === key && (step.handler === "returns without a trace" || step.journal === "own");
