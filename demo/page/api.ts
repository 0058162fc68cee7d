import type {
  Cancellation,
  EffectLog,
  ApiError as ErrorBody,
  FaultSettings,
  FaultStatus,
  Order,
  Receipt,
  ReceiptLookup,
} from "../server/api.js";

/** What the server answered instead of doing what it was asked; `code` is its word for the reason. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The caller's wish to stop. Every request takes it, so that a cancelled call costs the server nothing more. */
interface Cancellable {
  readonly signal?: AbortSignal;
}

/** One attempt to cancel an order. */
export interface CancelAttempt extends Cancellable {
  readonly orderId: string;
  /** Equal keys are one operation: the backend applies it once. */
  readonly operationKey: string;
  /** Lets the backend refuse an attempt that a later one has closed. */
  readonly fence: number;
}

async function send<T>(path: string, init: RequestInit = {}, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { ...init, ...(signal && { signal }) });
  if (response.ok) return response.json();
  throw await refusal(response);
}

async function refusal(response: Response): Promise<ApiError> {
  // A proxy's error page is not JSON.
  const body: Partial<ErrorBody> | null = await response.json().catch(() => null);
  const { code = "unexpected_answer", message = response.statusText } = body ?? {};
  return new ApiError(response.status, code, message);
}

const json = (method: "POST" | "PUT", body: unknown, headers = {}): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});

const orderPath = (orderId: string) => `/api/orders/${encodeURIComponent(orderId)}`;

/** The shop's HTTP API, one function per use. Failures are an {@link ApiError} or what `fetch` throws. */
export const api = {
  listOrders({ signal }: Cancellable = {}): Promise<readonly Order[]> {
    return send("/api/orders", {}, signal);
  },

  /** The order, or `undefined` when there is none of that id. */
  async getOrder(orderId: string, { signal }: Cancellable = {}): Promise<Order | undefined> {
    try {
      return await send<Order>(orderPath(orderId), {}, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  },

  async cancelOrder({ orderId, operationKey, fence, signal }: CancelAttempt): Promise<Receipt> {
    const headers = {
      // Headers are Latin-1; a key is any text.
      "Idempotency-Key": encodeURIComponent(operationKey),
      // A browser may send one POST twice when a reused connection drops: the same id is the same attempt.
      "X-Request-Id": crypto.randomUUID(),
      "X-Fence": String(fence),
    };
    const { receipt } = await send<Cancellation>(
      `${orderPath(orderId)}/cancel`,
      json("POST", {}, headers),
      signal,
    );
    return receipt;
  },

  /**
   * Closes every attempt up to a fence and tells what came of the operation: its receipt, or `null`, which is
   * final, because a closed attempt is refused if it still arrives.
   */
  async lookupReceipt(
    { operationKey, throughFence }: { operationKey: string; throughFence: number },
    { signal }: Cancellable = {},
  ): Promise<Receipt | null> {
    const { receipt } = await send<ReceiptLookup>(
      "/api/receipts/lookup",
      json("POST", { operationKey, throughFence }),
      signal,
    );
    return receipt;
  },

  listEffects(prefix = ""): Promise<EffectLog> {
    return send(`/api/effects?prefix=${encodeURIComponent(prefix)}`);
  },

  getFaults(): Promise<FaultStatus> {
    return send("/api/faults");
  },

  setFaults(change: Partial<FaultSettings>): Promise<FaultStatus> {
    return send("/api/faults", json("PUT", change));
  },

  reset(): Promise<readonly Order[]> {
    return send("/api/reset", json("POST", {}));
  },
};

/** The page's API client; tests put their own in its place. */
export type Api = typeof api;
