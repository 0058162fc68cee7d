import type { DemoServer, Effect } from "../support/demo-server.js";
import type { Operation } from "./recorder.js";

/** Keys of one run have this many prefixes each, because the server lists at most 200 effects at once. */
const BATCH = 50;

/** The operations that the agents of a run have called. */
export class Operations {
  readonly #orders: readonly string[];
  readonly #all: Operation[] = [];

  /** @param orders Those that can be cancelled. More operations than orders share them. */
  constructor(orders: readonly string[]) {
    this.#orders = orders;
  }

  get all(): readonly Operation[] {
    return this.#all;
  }

  /** Another one. */
  make(): Operation {
    const index = this.#all.length;
    const operationId = `chaos-${Math.floor(index / BATCH)}-${index}`;
    const orderId = this.#orders[index % this.#orders.length] ?? "";
    const key = `acct-demo:${operationId}:${orderId}:cancel_order`;
    const operation = { key, input: { orderId, operationId } };
    this.#all.push(operation);
    return operation;
  }

  /** One of the earlier ones, so many before the newest. */
  earlier(age: number): Operation {
    return this.#all.at(-1 - (age % Math.max(1, this.#all.length))) ?? this.make();
  }

  /** What the database has counted of them, oldest first. */
  async effects(server: DemoServer): Promise<Effect[]> {
    const effects: Effect[] = [];
    for (let batch = 0; batch * BATCH < this.#all.length; batch++) {
      const listed = await server.effects(`acct-demo:chaos-${batch}-`);
      effects.push(...[...listed].reverse());
    }
    return effects;
  }
}
