import { createSignett, type Signett, ToolError } from "signett";

/** Tools of every kind that the Inspector has to show; their handlers end when the test says so. */
export function createShop(options: Parameters<typeof createSignett>[0] = {}): {
  readonly signett: Signett<unknown>;
  readonly exposed: Promise<unknown>;
} {
  const signett = createSignett<unknown>(options);
  const listOrders = signett.expose({
    name: "list_orders",
    title: "List orders",
    description: "List the shop's orders with their stable IDs, at most 25.",
    inputSchema: {
      type: "object",
      properties: {
        status: {
          type: "string",
          enum: ["open", "cancelled", "shipped"],
          description: "Only orders with this status. Leave it out for all orders.",
        },
        atMost: { type: "integer", minimum: 1, maximum: 25, description: "How many orders." },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: () => ({ total: 2, orders: ["A-1001", "A-1002"] }),
    outputBudgetBytes: 4_096,
  });
  const refund = signett.expose({
    name: "refund_order",
    title: "Refund an order",
    description: "Refund lines of one order to the card that paid for it.",
    inputSchema: {
      type: "object",
      properties: {
        orderId: { type: "string", pattern: "^A-[0-9]{4}$", description: "Such as A-1001." },
        reason: { type: "string", description: "Why, in the customer's words." },
        notify: { type: "boolean", description: "Whether to tell the customer." },
        address: {
          type: "object",
          properties: {
            city: { type: "string", maxLength: 80, description: "The city." },
          },
          required: ["city"],
          additionalProperties: false,
        },
        lines: {
          type: "array",
          maxItems: 5,
          items: {
            type: "object",
            properties: {
              sku: { type: "string", maxLength: 20, description: "The article." },
              quantity: { type: "integer", minimum: 1, description: "How many of it." },
            },
            required: ["sku", "quantity"],
            additionalProperties: false,
          },
          description: "What to refund. All lines, if left out.",
        },
      },
      required: ["orderId"],
      additionalProperties: false,
    },
    annotations: { consequentialHint: true },
    execute(input: { orderId: string }) {
      if (input.orderId === "A-0000") {
        throw new ToolError({
          code: "order_not_found",
          message: "There is no A-0000.",
          retry: "never",
        });
      }
      return { refunded: input };
    },
  });
  const Find = signett.expose({
    name: "FindCustomer",
    description: "Find a customer.",
    inputSchema: { type: "object", properties: { query: { type: "string" } } },
    execute: () => null,
  });
  return { signett, exposed: Promise.all([listOrders, refund, Find]) };
}
