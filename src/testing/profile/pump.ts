import type { Schedule } from "./schedule.js";

type NodePort = MessagePort & { readonly ref?: () => void; readonly unref?: () => void };

/** Runs each task when all microtasks have run. A message port is what no test framework's fake timers replace. */
class Tasks {
  readonly #here: MessagePort;
  readonly #there: NodePort;
  #next: () => void = () => {};

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.#here = port1;
    this.#there = port2;
    port2.onmessage = () => {
      this.#there.unref?.();
      this.#next();
    };
    this.#there.unref?.();
  }

  /** One task at a time. Until it has run it keeps the process alive. */
  run(task: () => void): void {
    this.#next = task;
    this.#there.ref?.();
    this.#here.postMessage(null);
  }
}

/** Makes the steps of a schedule by itself, whenever there is something to do. */
export class Pump {
  readonly #schedule: Schedule;
  readonly #tasks = new Tasks();
  readonly #waiting: (() => void)[] = [];
  #running = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    schedule.onReady = () => this.#start();
  }

  /** Resolves when nothing is left to do until time passes, or somebody does something. */
  quiescent(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#start();
    });
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#tasks.run(() => this.#step());
  }

  #step(): void {
    if (this.#schedule.step()) {
      this.#tasks.run(() => this.#step());
      return;
    }
    this.#running = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
