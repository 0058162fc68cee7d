import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { Order } from "./api.js";
import { seedOrders } from "./seed.js";

/** The database, or a transaction on it. */
export type Queryable = Pick<PGlite | Transaction, "query">;

const COLUMNS = `id, item, amount_cents as "amountCents", status`;

export async function listOrders(database: Queryable): Promise<Order[]> {
  const { rows } = await database.query<Order>(`select ${COLUMNS} from orders order by id`);
  return rows;
}

export async function findOrder(database: Queryable, id: string): Promise<Order | null> {
  const { rows } = await database.query<Order>(`select ${COLUMNS} from orders where id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads an order and keeps other transactions from changing it until this one ends. */
export async function lockOrder(transaction: Transaction, id: string): Promise<Order | null> {
  const { rows } = await transaction.query<Order>(
    `select ${COLUMNS} from orders where id = $1 for update`,
    [id],
  );
  return rows[0] ?? null;
}

export async function markCancelled(transaction: Transaction, id: string): Promise<void> {
  await transaction.query("update orders set status = 'cancelled' where id = $1", [id]);
}

/** Empties every table and writes `count` fresh orders. */
export async function resetOrders(database: PGlite, count: number): Promise<Order[]> {
  const orders = seedOrders(count);
  await database.transaction(async (transaction) => {
    await transaction.query("truncate orders, receipts, effects, closed restart identity");
    await transaction.query(
      `insert into orders (id, item, amount_cents, status)
       select * from unnest($1::text[], $2::text[], $3::integer[], $4::text[])`,
      [
        orders.map(({ id }) => id),
        orders.map(({ item }) => item),
        orders.map(({ amountCents }) => amountCents),
        orders.map(({ status }) => status),
      ],
    );
  });
  return orders;
}
