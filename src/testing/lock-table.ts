/** One request for a lock, as the Web Locks specification has it. */
export interface LockRequest {
  readonly name: string;
  readonly mode: LockMode;
  readonly clientId: string;
  /** The lock is the request's: runs its callback, in a task of its own. */
  readonly granted: () => void;
  /** The lock was taken away from it. */
  readonly stolen: () => void;
}

/**
 * Who holds which lock and who waits for one. Requests for one name are granted strictly in turn: a shared request waits
 * behind an exclusive one even while only shared locks are held.
 */
export class LockTable {
  readonly #held = new Set<LockRequest>();
  readonly #queues = new Map<string, LockRequest[]>();

  /** Stands in the queue of its name, and is granted when its turn comes. */
  enqueue(request: LockRequest): void {
    const queue = this.#queues.get(request.name) ?? [];
    this.#queues.set(request.name, queue);
    queue.push(request);
    this.#process(request.name);
  }

  /** Is granted at once if nobody holds or awaits the lock; answers whether it was. */
  grantIfAvailable(request: LockRequest): boolean {
    if (this.#queues.has(request.name) || !this.#grantable(request)) return false;
    this.enqueue(request);
    return true;
  }

  /** Is granted at once: whoever holds the lock loses it. */
  steal(request: LockRequest): void {
    for (const holder of this.#holders(request.name)) {
      this.#held.delete(holder);
      holder.stolen();
    }
    this.#grant(request);
  }

  /** Takes away all that one client holds. */
  take(clientId: string): void {
    for (const holder of [...this.#held].filter((lock) => lock.clientId === clientId)) {
      holder.stolen();
      this.remove(holder);
    }
  }

  /** Ends a request, waiting or granted. Does nothing for one that has ended. */
  remove(request: LockRequest): void {
    this.#held.delete(request);
    const queue = this.#queues.get(request.name) ?? [];
    const index = queue.indexOf(request);
    if (index >= 0) queue.splice(index, 1);
    this.#process(request.name);
  }

  /** Ends everything that one client holds or awaits. */
  removeClient(clientId: string): void {
    const all = [...this.#held, ...[...this.#queues.values()].flat()];
    // Its waiting requests first, or they would be granted what it holds.
    for (const request of all.reverse()) {
      if (request.clientId === clientId) this.remove(request);
    }
  }

  /** Plain copies, in the order of grants and of queues. */
  snapshot(): { held: LockInfo[]; pending: LockInfo[] } {
    const info = ({ name, mode, clientId }: LockRequest) => ({ name, mode, clientId });
    return {
      held: Array.from(this.#held, info),
      pending: Array.from(this.#queues.values()).flat().map(info),
    };
  }

  #process(name: string): void {
    const queue = this.#queues.get(name) ?? [];
    for (;;) {
      const [first] = queue;
      if (!first || !this.#grantable(first)) break;
      queue.shift();
      this.#grant(first);
    }
    if (queue.length === 0) this.#queues.delete(name);
  }

  #grant(request: LockRequest): void {
    this.#held.add(request);
    request.granted();
  }

  #grantable({ name, mode }: LockRequest): boolean {
    const holders = this.#holders(name);
    return mode === "shared"
      ? holders.every((holder) => holder.mode === "shared")
      : holders.length === 0;
  }

  #holders(name: string): LockRequest[] {
    return [...this.#held].filter((lock) => lock.name === name);
  }
}
