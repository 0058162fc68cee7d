import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { Receipt, ReceiptLookup } from "./api.js";
import { findOrder, type Queryable } from "./orders.js";

type Row = Omit<Receipt, "cancelledAt"> & { readonly cancelledAt: Date };

/**
 * Makes transactions on one operation key follow each other. Without it, an attempt that has read
 * that its fence is open could still commit after a lookup has closed it.
 */
export async function lockOperation(transaction: Transaction, operationKey: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [operationKey]);
}

export async function findReceipt(
  database: Queryable,
  operationKey: string,
): Promise<Receipt | null> {
  const { rows } = await database.query<Row>(
    `select operation_key as "operationKey", order_id as "orderId", cancelled_at as "cancelledAt"
     from receipts where operation_key = $1`,
    [operationKey],
  );
  const [row] = rows;
  return row ? { ...row, cancelledAt: row.cancelledAt.toISOString() } : null;
}

/** Writes the receipt of an operation key; its first one stays. */
export async function writeReceipt(
  transaction: Transaction,
  operationKey: string,
  orderId: string,
): Promise<void> {
  await transaction.query(
    "insert into receipts (operation_key, order_id) values ($1, $2) on conflict do nothing",
    [operationKey, orderId],
  );
}

/** Whether the attempt with this fence has been refused for good. */
export async function isClosed(
  database: Queryable,
  operationKey: string,
  fence: number,
): Promise<boolean> {
  const { rows } = await database.query(
    "select 1 from closed where operation_key = $1 and through_fence >= $2",
    [operationKey, fence],
  );
  return rows.length > 0;
}

/**
 * Closes every attempt up to a fence and reads the receipt. If there is none, those attempts were
 * not applied and never will be.
 */
export function settleReceipt(
  database: PGlite,
  operationKey: string,
  throughFence: number,
): Promise<ReceiptLookup> {
  return database.transaction(async (transaction) => {
    await lockOperation(transaction, operationKey);
    await transaction.query(
      `insert into closed (operation_key, through_fence) values ($1, $2)
       on conflict (operation_key)
       do update set through_fence = greatest(closed.through_fence, excluded.through_fence)`,
      [operationKey, throughFence],
    );
    const receipt = await findReceipt(transaction, operationKey);
    const order = receipt ? await findOrder(transaction, receipt.orderId) : null;
    return { receipt, order };
  });
}
