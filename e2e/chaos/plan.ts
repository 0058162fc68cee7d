import { Random } from "../../src/testing/profile/random.js";
import { FAULTS, type Fault } from "./faults.js";

/** One operation that the tabs are asked for, now or again. */
export interface CallStep {
  /** Milliseconds after the step before it. */
  readonly after: number;
  /** A key that nobody has called, or one of the earlier ones: so many before the newest. */
  readonly key: "new" | { readonly age: number };
  /** The tabs that call at once, by number. */
  readonly tabs: readonly number[];
}

export interface FaultStep {
  /** Milliseconds after the step before it. */
  readonly after: number;
  readonly fault: Fault;
  /** The tab that it strikes, if it strikes one. */
  readonly tab: number;
  /** How long it lasts, if it lasts, in milliseconds. */
  readonly lasts: number;
}

/** All that a run wants to happen, drawn from its seed. How far it gets depends on the machine. */
export class Plan {
  readonly #calls: Random;
  readonly #faults: Random;
  #deck: Fault[] = [];
  readonly #missed = new Set<Fault>();

  constructor(seed: number) {
    // Apart, so that how many calls there is time for changes nothing about the faults.
    this.#calls = Random.named(seed, "calls");
    this.#faults = Random.named(seed, "faults");
  }

  nextCall(tabs: number): CallStep {
    const random = this.#calls;
    const equal = random.pick([1, 1, 1, 2, 3]);
    return {
      after: 60 + random.below(240),
      key: random.chance(0.5) ? "new" : { age: random.below(random.pick([3, 20, 400])) },
      tabs: Array.from({ length: equal }, () => random.below(tabs)),
    };
  }

  nextFault(tabs: number): FaultStep {
    const random = this.#faults;
    const fault = this.#draw();
    return {
      after: 500 + random.below(800),
      fault,
      tab: random.below(tabs),
      lasts: lasts(fault, random.next()),
    };
  }

  /** The fault could not happen: it comes once more in the next round. */
  putBack(fault: Fault): void {
    this.#missed.add(fault);
  }

  /** From a shuffled deck with each kind: none is rare, however short the run is. */
  #draw(): Fault {
    if (this.#deck.length === 0) {
      this.#deck = shuffled([...FAULTS, ...this.#missed], this.#faults);
      this.#missed.clear();
    }
    return this.#deck.pop() ?? FAULTS[0];
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(random.below(rest.length), 1));
}

/** From the shortest to the longest, by a number from 0 to 1. */
function lasts(fault: Fault, share: number): number {
  const [least, most] = durations[fault];
  return Math.round(least + share * (most - least));
}

const instant = [0, 0] as const;

/** Milliseconds. */
const durations: Readonly<Record<Fault, readonly [least: number, most: number]>> = {
  "tab is closed": instant,
  "tab crashes": instant,
  "tab is reloaded": instant,
  "tab goes away and comes back": [50, 2_000],
  "tab is frozen": [1_000, 6_000],
  "worker is killed": instant,
  // The tabs notice after 5 to 10 s.
  "worker hangs": [6_000, 11_000],
  "server delays its answers": [1_000, 3_000],
  "server loses its answers": [1_000, 3_000],
  "server answers with errors": [1_000, 3_000],
  "receipts can't be read": [1_000, 3_000],
};
