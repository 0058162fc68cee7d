interface Options {
  readonly signal: AbortSignal;
}

/** The functions that the README leaves to the reader, over the demo's server. */
export class DemoApi {
  readonly currentSession = async () => ({ accountId: "account-1" });

  readonly cancelOrder = async (orderId: string, options: Options & { key: string }) => {
    const answer = await fetch(`/api/orders/${orderId}/cancel`, {
      method: "POST",
      headers: {
        "Idempotency-Key": encodeURIComponent(options.key),
        "X-Request-Id": crypto.randomUUID(),
      },
      signal: options.signal,
    });
    const body: { message?: string } = await answer.json();
    return answer.ok ? {} : { refused: body.message ?? "refused" };
  };

  readonly findReceipt = async (operationKey: string, { signal }: Options) => {
    const answer = await fetch("/api/receipts/lookup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ operationKey, throughFence: 0 }),
      signal,
    });
    const { receipt }: { receipt: object | null } = await answer.json();
    return receipt ?? undefined;
  };

  readonly getOrder = async (orderId: string, { signal }: Options) => {
    const order: { status: string } = await (
      await fetch(`/api/orders/${orderId}`, { signal })
    ).json();
    return { cancelled: order.status === "cancelled" };
  };
}
