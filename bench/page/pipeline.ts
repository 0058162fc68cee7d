import { guard } from "signett";

const inputSchema = {
  type: "object",
  properties: { orderId: { type: "string", maxLength: 40 } },
  required: ["orderId"],
  additionalProperties: false,
} as const;

const handler = async ({ orderId }: { readonly orderId: string }) => ({ orderId, done: true });

/** Microseconds that the pipeline adds to a call of its handler, without idempotency. */
export async function pipeline(count: number): Promise<number> {
  const guarded = guard(handler, {
    name: "cancel_order",
    inputSchema,
  });
  const input = { orderId: "o-1" };
  const each = async (call: (input: { readonly orderId: string }) => Promise<unknown>) => {
    const start = performance.now();
    for (let i = 0; i < count; i++) await call(input);
    return ((performance.now() - start) * 1_000) / count;
  };
  await each(guarded);
  await each(handler);
  return (await each(guarded)) - (await each(handler));
}
