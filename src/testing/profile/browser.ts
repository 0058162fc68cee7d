import type { Clock } from "../../clock.js";
import { LockTable } from "../lock-table.js";
import { LockClient } from "../locks.js";
import { VirtualChannels } from "./channel.js";
import { VirtualDatabase } from "./database.js";
import type { VirtualPort } from "./port.js";
import { type Lane, Process, Schedule } from "./schedule.js";
import { VirtualTime } from "./time.js";

/** What one page or worker finds in its browser. */
export interface Surroundings {
  readonly process: Process;
  readonly clock: Clock;
  readonly locks: LockManager;
}

/** One browser profile in memory: what its pages and workers share. Nothing in it happens but by steps of its schedule. */
export class VirtualBrowser {
  readonly schedule: Schedule;
  readonly time: VirtualTime;
  readonly channels: VirtualChannels;
  readonly database: VirtualDatabase;
  readonly #locks = new LockTable();
  readonly #process = new Process("browser");
  readonly #ports = new Set<VirtualPort>();
  readonly #lanes = new Map<string, Lane>();

  constructor(seed: number) {
    this.schedule = new Schedule(seed);
    this.time = new VirtualTime(this.schedule);
    this.channels = new VirtualChannels(this.schedule);
    this.database = new VirtualDatabase(this.schedule, this.#process);
  }

  /** A page is opened, or a worker started. */
  start(name: string): Surroundings {
    const { schedule, time } = this;
    const process = new Process(name);
    const toLocks = this.#toLocks(name);
    const toClient = schedule.lane(process, `locks → ${name}`);
    const locks = new LockClient(this.#locks, name, {
      toLocks: (task) => process.act(() => toLocks.push(task)),
      toClient: (task) => toClient.push(task),
    });
    return { process, locks, clock: time.clockOf(process) };
  }

  /** It ends without a word. Its locks are free once the browser has noticed. */
  end({ process }: Surroundings): void {
    if (process.state === "dead") return;
    process.end();
    this.schedule.bury(process);
    this.database.abandon(process);
    this.#toLocks(process.name).push(() => this.#locks.removeClient(process.name));
  }

  /** The browser gives the locks of a page in its cache to others. */
  takeLocks({ process }: Surroundings): void {
    this.#locks.take(process.name);
  }

  /** Who holds which lock now, and who waits for one. */
  lockInfo(): { held: LockInfo[]; pending: LockInfo[] } {
    return this.#locks.snapshot();
  }

  /** A page has got its end of a line. */
  addPort(port: VirtualPort): void {
    this.#ports.add(port);
  }

  /** How many lines that still lead somewhere a page has. */
  openPortsOf(process: Process): number {
    for (const port of this.#ports) if (!port.open) this.#ports.delete(port);
    return [...this.#ports].filter((port) => port.process === process).length;
  }

  /** Word from one process to the locks: its end comes after all that it has asked for. */
  #toLocks(name: string): Lane {
    const lane = this.#lanes.get(name) ?? this.schedule.lane(this.#process, `${name} → locks`);
    this.#lanes.set(name, lane);
    return lane;
  }
}
