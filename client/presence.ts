import type { Clock } from "../src/clock.js";
import { ClaimLostError } from "../src/errors.js";

/** One holding of a lock that marks this tab alive. Its id is used for this holding and never again. */
export interface Holding {
  readonly id: string;
  /** Aborts, with a `ClaimLostError`, when the lock ends unasked: other tabs take this one for dead. */
  readonly lost: AbortSignal;
}

interface OpenHolding extends Holding {
  readonly granted: Promise<void>;
  readonly letGo: () => void;
  readonly lose: () => void;
  users: number;
  /** How often it was used. */
  uses: number;
  /** Its end is due, if nobody uses it until then. */
  lingers: boolean;
}

/** How long a holding outlasts its last use at least, in milliseconds: calls that follow each other share one too. */
const LINGER_MS = 100;

/**
 * The tab's sign of life: a Web Lock, taken before the first request is sent under it and kept until everything under
 * it is answered and settled. A burst of calls shares one holding. An idle tab holds nothing, but for a moment after its
 * last call.
 */
export class Presence {
  readonly #locks: LockManager;
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #lockName: (id: string) => string;
  readonly #idle: () => void;
  readonly #open = new Set<OpenHolding>();
  #current: OpenHolding | undefined;

  constructor(options: {
    readonly locks: LockManager;
    readonly clock: Clock;
    readonly newId: () => string;
    readonly lockName: (id: string) => string;
    /** Called when the last holding was given back. */
    readonly idle: () => void;
  }) {
    this.#locks = options.locks;
    this.#clock = options.clock;
    this.#newId = options.newId;
    this.#lockName = options.lockName;
    this.#idle = options.idle;
  }

  /** Something under this tab's lock is not settled yet. */
  get busy(): boolean {
    return this.#open.size > 0;
  }

  /** The client ids that something is open under. */
  get ids(): string[] {
    return Array.from(this.#open, ({ id }) => id);
  }

  /** Takes part in the current holding, or in a new one. Resolves once the lock is granted. */
  async hold(): Promise<Holding> {
    this.#current ??= this.#take();
    const holding = this.#current;
    holding.users += 1;
    holding.uses += 1;
    try {
      await holding.granted;
      return holding;
    } catch (error) {
      this.release(holding);
      throw error;
    }
  }

  /** Ends one use. The lock is given back after the last one. */
  release(holding: Holding): void {
    const open = this.#find(holding);
    if (!open) return;
    open.users -= 1;
    if (open.users > 0) return;
    if (open === this.#current) this.#linger(open);
    else this.#close(open);
  }

  /** The next use gets a new holding; this one ends with those that it has. */
  renew(): void {
    const current = this.#current;
    this.#current = undefined;
    if (current?.users === 0) this.#close(current);
  }

  /** The lock can't be trusted any more: everything under it counts as lost. */
  loseAll(): void {
    for (const holding of this.#open) {
      holding.lose();
      this.#close(holding);
    }
  }

  #find(holding: Holding): OpenHolding | undefined {
    for (const open of this.#open) if (open === holding) return open;
    return undefined;
  }

  /** One timer for calls that follow each other. */
  #linger(holding: OpenHolding): void {
    if (holding.lingers) return;
    holding.lingers = true;
    const { uses } = holding;
    this.#clock.after(LINGER_MS, () => {
      holding.lingers = false;
      if (holding.users > 0 || !this.#open.has(holding)) return;
      if (holding.uses === uses) this.#close(holding);
      else this.#linger(holding);
    });
  }

  #close(holding: OpenHolding): void {
    this.#open.delete(holding);
    if (this.#current === holding) this.#current = undefined;
    holding.letGo();
    if (!this.busy) this.#idle();
  }

  #take(): OpenHolding {
    const id = this.#newId();
    const lost = new AbortController();
    const lose = () => lost.abort(new ClaimLostError());
    let letGo: () => void = () => {};
    const wanted = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const granted = new Promise<void>((resolve, reject) => {
      this.#locks
        .request(this.#lockName(id), () => {
          resolve();
          return wanted;
        })
        .catch((error: unknown) => {
          reject(error);
          // Not asked for: somebody stole the lock, or the browser took it.
          lose();
          this.#close(holding);
        });
    });
    const holding: OpenHolding = {
      ...{ id, lost: lost.signal, granted, letGo, lose },
      ...{ users: 0, uses: 0, lingers: false },
    };
    this.#open.add(holding);
    return holding;
  }
}
