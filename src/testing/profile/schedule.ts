import { Random } from "./random.js";

/** What runs scripts: a page or a worker, or the browser itself. */
export class Process {
  readonly name: string;
  #state: "running" | "stopped" | "dead" = "running";
  /** What its scripts have done since it was stopped: a test can't keep a promise of its own from going on in it. */
  #held: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** `stopped`: what is sent to it waits. `dead`: it arrives nowhere. */
  get state(): "running" | "stopped" | "dead" {
    return this.#state;
  }

  /** Its scripts do something that others can see. */
  act(task: () => void): void {
    if (this.#state === "running") task();
    else if (this.#state === "stopped") this.#held.push(task);
  }

  stop(): void {
    if (this.#state === "running") this.#state = "stopped";
  }

  /** @param first What its scripts do before all else. */
  goOn(first: () => void = () => {}): void {
    if (this.#state !== "stopped") return;
    this.#state = "running";
    first();
    for (const task of this.#held.splice(0)) task();
  }

  end(): void {
    this.#state = "dead";
    this.#held = [];
  }
}

/** Something that happens in one step; what it is about is for whoever watches. */
interface Task {
  readonly run: () => void;
  readonly about: unknown;
}

/** How often a lane is chosen, compared with others: some are slow for a whole run. */
const WEIGHTS = [1, 4, 4, 16] as const;

/** What happens to one process in an order that is kept, such as the messages of one port. */
export class Lane {
  readonly process: Process;
  readonly name: string;
  readonly weight: number;
  readonly tasks: Task[] = [];
  /** Nothing of it happens before so many steps were made, unless nothing else can. */
  delayedUntil = 0;
  readonly #woken: () => void;

  constructor(process: Process, name: string, weight: number, woken: () => void) {
    this.process = process;
    this.name = name;
    this.weight = weight;
    this.#woken = woken;
  }

  push(run: () => void, about?: unknown): void {
    if (this.process.state === "dead") return;
    this.tasks.push({ run, about });
    this.#woken();
  }
}

/**
 * Everything that is going to happen. Which lane comes next is drawn, so that a seed decides in which order messages arrive,
 * locks are granted and transactions run. Between two steps all microtasks must have run: whoever steps sees to it.
 */
export class Schedule {
  readonly #seed: number;
  readonly #random: Random;
  #lanes: Lane[] = [];
  #steps = 0;
  /** Told that something can happen. */
  onReady: () => void = () => {};
  /** Told of each step before it is made. */
  onStep: (lane: Lane, about: unknown) => void = () => {};

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
  }

  /** How many steps were made. */
  get steps(): number {
    return this.#steps;
  }

  lane(process: Process, name: string): Lane {
    const weight = Random.named(this.#seed, name).pick(WEIGHTS);
    const lane = new Lane(process, name, weight, () => this.onReady());
    this.#lanes.push(lane);
    return lane;
  }

  /** Makes one step. Answers `false` if nothing can happen. */
  step(): boolean {
    const ready = this.#ready();
    // What is not needed must not be drawn: an idle look would change all that comes.
    if (ready.length === 0) return false;
    const due = ready.filter(({ delayedUntil }) => delayedUntil <= this.#steps);
    const lane = this.#draw(due.length > 0 ? due : ready);
    const task = lane?.tasks.shift();
    if (!lane || !task) return false;
    this.#steps += 1;
    this.onStep(lane, task.about);
    task.run();
    return true;
  }

  /** What is on its way in one of the lanes that have something takes so many steps longer. Answers whether there is one. */
  delay(index: number, steps: number): boolean {
    const ready = this.#ready();
    const lane = ready[index % ready.length];
    if (!lane) return false;
    lane.delayedUntil = this.#steps + steps;
    return true;
  }

  /** Forgets what was on its way to a process that is dead. */
  bury(process: Process): void {
    this.#lanes = this.#lanes.filter((lane) => lane.process !== process);
  }

  #ready(): Lane[] {
    return this.#lanes.filter(
      ({ process, tasks }) => tasks.length > 0 && process.state === "running",
    );
  }

  #draw(lanes: readonly Lane[]): Lane | undefined {
    let total = 0;
    for (const { weight } of lanes) total += weight;
    let drawn = this.#random.next() * total;
    for (const lane of lanes) {
      drawn -= lane.weight;
      if (drawn < 0) return lane;
    }
    return undefined;
  }
}
