/** The JSON that the demo's server and its pages exchange. */

export interface Order {
  readonly id: string;
  readonly item: string;
  readonly amountCents: number;
  readonly status: "open" | "cancelled" | "shipped";
}

/** The server's word that an operation key has been applied. */
export interface Receipt {
  readonly operationKey: string;
  readonly orderId: string;
  /** ISO 8601, UTC. */
  readonly cancelledAt: string;
}

/** One cancellation that was applied. The log of these is what tests count. */
export interface Effect {
  readonly id: number;
  readonly operationKey: string;
  readonly orderId: string;
  readonly requestId: string;
  readonly fence: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface EffectLog {
  /** How many effects match, listed or not. */
  readonly total: number;
  /** The newest 200, newest first. */
  readonly effects: readonly Effect[];
}

export interface Cancellation {
  readonly order: Order;
  readonly receipt: Receipt;
}

export interface ReceiptLookup {
  readonly receipt: Receipt | null;
  /** The order that the receipt is for. */
  readonly order: Order | null;
}

/** What goes wrong on purpose. */
export interface FaultSettings {
  /** What happens to the answer of a cancellation after its transaction has committed. */
  readonly answers: "normal" | "lost" | "delayed" | "held" | "failed";
  /** How long a delayed answer takes: 0 to 60,000 ms. */
  readonly delayMs: number;
  /** Whether receipts can be looked up. */
  readonly receipts: "normal" | "unreadable";
  /** Whether the server itself applies an operation key only once. */
  readonly deduplicate: boolean;
}

export interface FaultStatus extends FaultSettings {
  /** How many answers are being held right now. */
  readonly holding: number;
}

export interface ApiError {
  readonly code: string;
  readonly message: string;
}
