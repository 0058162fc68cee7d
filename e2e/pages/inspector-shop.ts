import { createSignett, type SignettOptions, ToolError } from "signett";

const listOrders = {
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
} as const;

const refundOrder = {
  name: "refund_order",
  title: "Refund an order",
  description: "Refund lines of one order to the card that paid for it.",
  inputSchema: {
    type: "object",
    properties: {
      orderId: { type: "string", pattern: "^A-[0-9]{4}$", description: "Such as A-1001." },
      reason: { type: "string", description: "Why, in the customer's words." },
      notify: { type: "boolean", description: "Whether to tell the customer." },
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
    if (input.orderId !== "A-0000") return { refunded: input };
    throw new ToolError({
      code: "order_not_found",
      message: "There is no A-0000.",
      retry: "never",
    });
  },
} as const;

const nothing = { type: "object", properties: {}, additionalProperties: false } as const;

/** Tools of every kind that the Inspector has to show. */
export function createShop(options: SignettOptions<undefined> = {}) {
  const signett = createSignett(options);
  let finish = () => {};
  const exposed = Promise.all([
    signett.expose(listOrders),
    signett.expose(refundOrder),
    signett.expose({
      name: "FindCustomer",
      description: "Find a customer.",
      inputSchema: { type: "object", properties: { query: { type: "string" } } },
      execute: () => null,
    }),
    signett.expose({
      name: "hold_order",
      description: "Keep one order open until it is released.",
      inputSchema: nothing,
      execute: () => new Promise<null>((resolve) => (finish = () => resolve(null))),
    }),
  ]);
  return {
    signett,
    exposed,
    finish: () => finish(),
    leave() {
      for (const registration of signett.tools()) {
        if (registration.name === "hold_order") registration.dispose();
      }
    },
    async hold() {
      const hold = await agentFor("hold_order");
      hold({}).catch(() => {});
    },
    async callOften(times: number) {
      const list = await agentFor("list_orders");
      for (let count = 0; count < times; count++) {
        await list(count % 10 === 0 ? { status: "lost" } : {}).catch(() => {});
      }
    },
  };
}

/** An agent in the page. */
async function agentFor(name: string): Promise<(input: object) => Promise<unknown>> {
  const host = document.modelContext;
  const tool = (await host?.getTools())?.find((one) => one.name === name);
  if (!host || !tool) throw new Error(`There is no tool ${name}.`);
  return (input) => host.executeTool(tool, input);
}
