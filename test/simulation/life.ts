import { OutcomeUnknownError } from "../../src/index.js";
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
    const life = new Life(world);
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

  constructor(world: World) {
    this.#world = world;
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
    const record = world.browser.database.contents.records.get(key);
    const page = world.open(0);
    const second = record && "fingerprint" in record && record.fingerprint === "second";
    const intent = second ? "second" : "first";
    // Who has left no trace can be asked for by the order's number only.
    const recover = world.calls.some(leftNoTrace(key)) ? "asks by key" : "asks";
    const step = { ...CALM_CALL, key, intent, recover } as const;
    let end = await this.#answer(world.call(page, step));
    if (isPostponed(end)) {
      // Recovery had failed too often to be asked at once.
      await this.#pass(POSTPONED_MS);
      end = await this.#answer(world.call(page, step));
    }
    if ("error" in end) throw new Violation(`"${key}" has no answer any more: ${end.error}`);
    if (world.ledger.effects(key) !== 1) throw new Violation(`"${key}" had no effect.`);
    page.profile.close();
  }

  async #answer(call: Call): Promise<End> {
    await this.#until(() => call.end !== undefined, "Nobody can have a key any more.");
    if (!call.end) throw new Violation("A call ended without an end.");
    return call.end;
  }

  async #pass(ms: number): Promise<void> {
    const { time } = this.#world.browser;
    time.passTo(time.elapsed + ms);
    while (await this.#step());
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
      time.passTo(due);
    }
  }

  async #step(): Promise<boolean> {
    const stepped = this.#world.browser.schedule.step();
    if (!stepped) this.#world.rest();
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
    // A worker keeps its own lock, and one timer for its housekeeping, until its last page is closed.
    const locks = held.filter(({ name = "" }) => !name.includes(":worker:"));
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

/** How long recovery is put off that has failed too often, in milliseconds. */
const POSTPONED_MS = 60_000;

const isPostponed = (end: End): boolean =>
  "error" in end && end.error instanceof OutcomeUnknownError;

const leftNoTrace =
  (key: Key) =>
  ({ step }: Call): boolean =>
    step.key === key && step.handler === "returns without a trace";
