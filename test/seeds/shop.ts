/** Who uses the shop. */
export interface Customer {
  userId: string;
  accountId: string;
  scopes: string[];
}

/** An order as the shop's backend knows it. */
export interface Order {
  orderId: string;
  accountId: string;
  status: "open" | "cancelled";
}

/** The application that the seeds' samples belong to, with its backend in memory. */
export class Shop {
  readonly customer: Customer = { userId: "u-1", accountId: "a-1", scopes: ["orders:cancel"] };
  readonly orders = new Map<string, Order>([
    ["17", { orderId: "17", accountId: "a-1", status: "open" }],
    ["18", { orderId: "18", accountId: "a-1", status: "open" }],
  ]);
  /** The cancellations that the backend committed, by order. */
  readonly effects: string[] = [];
  /** The cancellations that a person was asked about, by order. */
  readonly asked: string[] = [];
  /** What the person says. */
  consent = true;
  /** What happens between a commit and its answer: an answer that is late or lost. */
  afterCommit: () => Promise<void> = async () => {};

  currentSession = async ({ signal }: { signal: AbortSignal }): Promise<Customer> => {
    signal.throwIfAborted();
    return this.customer;
  };

  confirmCancellation = async (orderId: string): Promise<boolean> => {
    this.asked.push(orderId);
    return this.consent;
  };

  getOrder = async (
    orderId: string,
    { accountId, signal }: { accountId?: string; signal: AbortSignal },
  ): Promise<Order | undefined> => {
    signal.throwIfAborted();
    const order = this.orders.get(orderId);
    return accountId === undefined || order?.accountId === accountId ? order : undefined;
  };

  cancelOrder = async ({
    orderId,
    accountId,
    signal,
  }: {
    orderId: string;
    accountId: string;
    signal: AbortSignal;
  }): Promise<Order> => {
    signal.throwIfAborted();
    const order: Order = { orderId, accountId, status: "cancelled" };
    this.orders.set(orderId, order);
    this.effects.push(orderId);
    await this.afterCommit();
    return order;
  };
}

/** A call of the samples' `cancel_order`. */
export interface Cancellation {
  orderId: string;
  operationId: string;
}

/** What the samples' `cancel_order` takes. */
export const cancelOrderInput = {
  type: "object",
  properties: {
    orderId: { type: "string", maxLength: 40 },
    operationId: { type: "string", maxLength: 40 },
  },
  required: ["orderId", "operationId"],
  additionalProperties: false,
} as const;
