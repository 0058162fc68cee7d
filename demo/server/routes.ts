import type { IncomingMessage } from "node:http";
import type { PGlite } from "@electric-sql/pglite";
import { type CancelOutcome, cancelOrder, type Refusal } from "./cancel.js";
import { readEffects } from "./effects.js";
import type { Faults } from "./faults.js";
import { type Answer, RequestError } from "./http.js";
import { readAttempt, readFaults, readLookup, readOrderCount, readPrefix } from "./input.js";
import { findOrder, listOrders, resetOrders } from "./orders.js";
import { settleReceipt } from "./receipts.js";

interface Call {
  readonly request: IncomingMessage;
  /** The order id in the path, or an empty text. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Parsed JSON, not yet checked; `undefined` without a body. */
  readonly body: unknown;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: RegExp;
  /** Whether its answers are subject to the faults. */
  readonly faulty?: true;
  handle(call: Call): Answer | Promise<Answer>;
}

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, message: string]>> = {
  attempt_closed: [409, "This attempt was closed by a later look at the receipt."],
  operation_key_reused: [409, "This operation key has cancelled another order."],
  order_already_shipped: [409, "Shipped orders cannot be cancelled."],
  order_not_found: [404, "There is no such order."],
  request_id_reused: [409, "This request id belongs to another attempt."],
};

export function createRoutes(database: PGlite, faults: Faults): readonly Route[] {
  return [
    { method: "GET", path: /^\/api\/health$/, handle: () => ok({ ok: true }) },
    {
      method: "GET",
      path: /^\/api\/orders$/,
      handle: async () => ok(await listOrders(database)),
    },
    {
      method: "GET",
      path: /^\/api\/orders\/(?<id>[^/]+)$/,
      async handle({ id }) {
        const order = await findOrder(database, id);
        return order ? ok(order) : refusal("order_not_found");
      },
    },
    {
      method: "POST",
      path: /^\/api\/orders\/(?<id>[^/]+)\/cancel$/,
      faulty: true,
      async handle({ id, request }) {
        const attempt = readAttempt(id, request);
        return toAnswer(await cancelOrder(database, attempt, faults.settings));
      },
    },
    {
      method: "POST",
      path: /^\/api\/receipts\/lookup$/,
      async handle({ body }) {
        const { operationKey, throughFence } = readLookup(body);
        if (faults.settings.receipts === "unreadable") {
          throw new RequestError(503, "receipts_unreadable", "Receipts cannot be read right now.");
        }
        return ok(await settleReceipt(database, operationKey, throughFence));
      },
    },
    {
      method: "GET",
      path: /^\/api\/effects$/,
      handle: async ({ query }) => ok(await readEffects(database, readPrefix(query))),
    },
    { method: "GET", path: /^\/api\/faults$/, handle: () => ok(faults.status) },
    {
      method: "PUT",
      path: /^\/api\/faults$/,
      handle({ body }) {
        faults.update(readFaults(body));
        return ok(faults.status);
      },
    },
    {
      method: "POST",
      path: /^\/api\/reset$/,
      async handle({ body }) {
        const orders = await resetOrders(database, readOrderCount(body));
        faults.reset();
        return ok(orders);
      },
    },
  ];
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function refusal(reason: Refusal): Answer {
  const [status, message] = REFUSALS[reason];
  return { status, body: { code: reason, message } };
}

function toAnswer(outcome: CancelOutcome): Answer {
  switch (outcome.state) {
    case "cancelled":
      return ok({ order: outcome.order, receipt: outcome.receipt });
    case "refused":
      return refusal(outcome.reason);
    default:
      return outcome satisfies never;
  }
}
