import { strict as assert } from "node:assert";

/** One row of the database's append-only log. */
export interface Effect {
  readonly id: number;
  readonly operationKey: string;
  readonly orderId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** What the demo's server can be told to do with its answers. */
export interface Faults {
  readonly answers: "normal" | "lost" | "delayed" | "held" | "failed";
  readonly delayMs: number;
  readonly receipts: "normal" | "unreadable";
  readonly deduplicate: boolean;
}

/** The demo's real server and database, as the judge of what happened. */
export class DemoServer {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /**
   * Empties the tables and seeds the orders. Its own suppression of duplicates is off, so that every effect that the
   * browser's side caused is counted.
   */
  async reset(orders = 40): Promise<void> {
    await this.#send("POST", "/api/reset", { orders });
    await this.set({ deduplicate: false });
  }

  async set(faults: Partial<Faults>): Promise<void> {
    await this.#send("PUT", "/api/faults", faults);
  }

  /** The effects that the database has counted, of keys that begin with a text: newest first. */
  async effects(prefix = ""): Promise<readonly Effect[]> {
    const path = `/api/effects?prefix=${encodeURIComponent(prefix)}`;
    const { total, effects } = (await this.#send("GET", path)) as {
      total: number;
      effects: Effect[];
    };
    assert.equal(total, effects.length, "the log has more effects than the answer holds");
    return effects;
  }

  /** Resolves when this many cancellations are committed and their answers held back. */
  async holding(count: number): Promise<void> {
    const deadline = Date.now() + 15_000;
    while (Date.now() < deadline) {
      const { holding } = (await this.#send("GET", "/api/faults")) as { holding: number };
      if (holding === count) return;
    }
    throw new Error(`The server does not hold ${count} answers.`);
  }

  /** The orders that can be cancelled. */
  async openOrders(): Promise<readonly string[]> {
    const orders = (await this.#send("GET", "/api/orders")) as { id: string; status: string }[];
    return orders.filter(({ status }) => status === "open").map(({ id }) => id);
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(this.#origin + path, {
      method,
      ...(body && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    assert.ok(
      response.ok,
      `${method} ${path}: ${response.status} ${await response.clone().text()}`,
    );
    return response.json();
  }
}
