import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { Cancellation } from "./api.js";
import { appendEffect, findEffect } from "./effects.js";
import { lockOrder, markCancelled } from "./orders.js";
import { findReceipt, isClosed, lockOperation, writeReceipt } from "./receipts.js";

/** One run of the page's handler. The browser may send its request more than once. */
export interface Attempt {
  readonly operationKey: string;
  readonly orderId: string;
  readonly requestId: string;
  readonly fence: number | null;
}

export type Refusal =
  | "attempt_closed"
  | "operation_key_reused"
  | "order_already_shipped"
  | "order_not_found"
  | "request_id_reused";

export type CancelOutcome =
  | ({ readonly state: "cancelled" } & Cancellation)
  | { readonly state: "refused"; readonly reason: Refusal };

/**
 * Cancels an order. Everything is decided and written in one transaction; an attempt is applied at
 * most once, and with `deduplicate` an operation key is too.
 */
export function cancelOrder(
  database: PGlite,
  attempt: Attempt,
  { deduplicate }: { readonly deduplicate: boolean },
): Promise<CancelOutcome> {
  const { operationKey, orderId, requestId, fence } = attempt;
  return database.transaction(async (transaction) => {
    await lockOperation(transaction, operationKey);

    const earlier = await findEffect(transaction, requestId);
    if (earlier) {
      const same = earlier.operationKey === operationKey && earlier.orderId === orderId;
      return same ? confirm(transaction, attempt) : refuse("request_id_reused");
    }

    if (fence !== null && (await isClosed(transaction, operationKey, fence))) {
      return refuse("attempt_closed");
    }

    const receipt = deduplicate ? await findReceipt(transaction, operationKey) : null;
    if (receipt) {
      const same = receipt.orderId === orderId;
      return same ? confirm(transaction, attempt) : refuse("operation_key_reused");
    }

    const order = await lockOrder(transaction, orderId);
    if (!order) return refuse("order_not_found");
    if (order.status === "shipped") return refuse("order_already_shipped");

    await markCancelled(transaction, orderId);
    await appendEffect(transaction, attempt);
    await writeReceipt(transaction, operationKey, orderId);
    return confirm(transaction, attempt);
  });
}

function refuse(reason: Refusal): CancelOutcome {
  return { state: "refused", reason };
}

async function confirm(
  transaction: Transaction,
  { operationKey, orderId }: Attempt,
): Promise<CancelOutcome> {
  const order = await lockOrder(transaction, orderId);
  const receipt = await findReceipt(transaction, operationKey);
  if (!order || !receipt) throw new Error(`The effect on order ${orderId} has no receipt.`);
  return { state: "cancelled", order, receipt };
}
