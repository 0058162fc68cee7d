import { type Tool, ToolError } from "signett";
import type { Order } from "../server/api.js";
import { type Api, ApiError } from "./api.js";
import inputSchema from "./cancel-order.schema.json";
import validate from "./cancel-order.schema.json?validator";
import type { Session } from "./session.js";

interface ListInput {
  readonly status?: Order["status"];
}

interface OrderList {
  readonly total: number;
  readonly orders: readonly Order[];
}

/** An agent reads a page of orders, not a database. */
const LISTED_AT_MOST = 25;

/** A tool that only reads needs no key, no approval and no recovery: calling it again is harmless. */
export function listOrdersTool(api: Pick<Api, "listOrders">): Tool<ListInput, Session, OrderList> {
  return {
    name: "list_orders",
    title: "List orders",
    description: `List the shop's orders with their stable IDs, at most ${LISTED_AT_MOST}.`,
    inputSchema: {
      type: "object",
      properties: {
        status: {
          type: "string",
          enum: ["open", "cancelled", "shipped"],
          description: "Only orders with this status. Leave it out for all orders.",
        },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: async ({ status }, { signal }) => {
      const all = await api.listOrders({ signal });
      const orders = status === undefined ? all : all.filter((order) => order.status === status);
      return { total: orders.length, orders: orders.slice(0, LISTED_AT_MOST) };
    },
    outputBudgetBytes: 4_096,
  };
}

/** What an agent has to say to cancel an order. */
export interface CancelInput {
  readonly orderId: string;
  readonly operationId: string;
}

interface Cancellation {
  readonly orderId: string;
  readonly status: "cancelled";
  readonly cancelledAt: string;
}

/** The smallest correlation that recovery needs: which order, and which attempt on it. */
interface Correlation {
  readonly orderId: string;
  readonly fence: number;
}

/**
 * The server's explicit refusals. The sentences are this application's own: text from a server or a page does
 * not belong in front of an agent.
 */
const refusals: ReadonlyMap<string, string> = new Map([
  ["order_not_found", "There is no order with this ID."],
  ["order_already_shipped", "Shipped orders cannot be cancelled."],
  ["attempt_closed", "This attempt was closed by a later one and changed nothing."],
]);

/** What `cancel_order` needs of the page. */
export interface CancelOrderOptions {
  readonly api: Pick<Api, "getOrder" | "cancelOrder" | "lookupReceipt">;
  /** Asks the person; resolves to their decision, and rejects when `signal` aborts. */
  readonly confirm: (orderId: string, options: { signal: AbortSignal }) => Promise<boolean>;
}

/** A consequential tool: one effect, whatever the number of tabs, retries, lost answers and crashes. */
export function cancelOrderTool({
  api,
  confirm,
}: CancelOrderOptions): Tool<CancelInput, Session, Cancellation> {
  return {
    name: "cancel_order",
    title: "Cancel an order",
    description: "Cancel one open order. Repeat a call with the same operationId, never a new one.",
    inputSchema,
    // Compiled when the page is built: its policy forbids code from text.
    validate,
    annotations: { consequentialHint: true },

    // Asked on every call, before a replay too. A condition that success changes, such as "the order is open",
    // would refuse the replay of its own success, so it belongs to the server.
    authorize: ({ context }) => ({
      allowed: context.scopes.includes("orders:cancel"),
      reason: "The signed-in account cannot cancel orders.",
    }),

    // Equal keys are one operation: who asks, which operation, and every argument that changes what it does.
    // The profile coordinates the key in all tabs, and keeps its answer and its journal.
    idempotency: {
      key: ({ input, context }) =>
        [context.accountId, input.operationId, input.orderId, "cancel_order"].join(":"),
    },

    // Only before an effect: a tab that gets the stored answer does not ask again.
    confirm: {
      mode: "effect-only",
      request: ({ input, signal }) => confirm(input.orderId, { signal }),
    },

    execute: async ({ orderId }, { operation, signal }) => {
      if (operation === undefined) throw new TypeError("cancel_order needs its idempotency key.");
      const { key: operationKey, fence = 0 } = operation;
      // Immediately before the effect: from here on, a lost answer can be told from a call that never left.
      await operation.write({ orderId, fence } satisfies Correlation);
      try {
        const receipt = await api.cancelOrder({ orderId, operationKey, fence, signal });
        return { orderId, status: "cancelled", cancelledAt: receipt.cancelledAt };
      } catch (error) {
        const message = error instanceof ApiError ? refusals.get(error.code) : undefined;
        // Anything but a refusal leaves the outcome unknown: thrown as it is, and `recover` decides.
        if (!(error instanceof ApiError) || message === undefined) throw error;
        // Nothing happened, so nothing is to be recovered, and the key is free again.
        await operation.remove();
        throw new ToolError({ code: error.code, message, retry: "never", details: { orderId } });
      }
    },

    // Asked when an answer was lost, or when the tab that ran this operation is gone. Only the authority's word
    // counts: if the receipt cannot be read, this throws, and the outcome stays unknown.
    recover: async ({ input, operation, signal }) => {
      const correlation = await operation?.read<Correlation>();
      if (operation === undefined || correlation === undefined) return { recovered: false };
      const { orderId, fence } = correlation;
      if (orderId !== input.orderId) return { recovered: false, outcome: "unknown" };
      const receipt = await api.lookupReceipt(
        { operationKey: operation.key, throughFence: fence },
        { signal },
      );
      if (receipt === null) return { recovered: false, outcome: "not_applied" };
      const output = { orderId, status: "cancelled", cancelledAt: receipt.cancelledAt } as const;
      return { recovered: true, output };
    },

    // Reads the order itself rather than trusting the handler's answer, a stored one or a receipt.
    verify: async ({ input, signal }) => {
      const order = await api.getOrder(input.orderId, { signal });
      return order?.status === "cancelled";
    },
    verifyTimeoutMs: 10_000,
  };
}
