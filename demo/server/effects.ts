import type { Transaction } from "@electric-sql/pglite";
import type { Effect, EffectLog } from "./api.js";
import type { Queryable } from "./orders.js";

const COLUMNS = `id, operation_key as "operationKey", order_id as "orderId",
  request_id as "requestId", fence, at`;

type Row = Omit<Effect, "at"> & { readonly at: Date };

const toEffect = (row: Row): Effect => ({ ...row, at: row.at.toISOString() });

/** The effects whose operation key starts with `prefix`. */
export async function readEffects(database: Queryable, prefix: string): Promise<EffectLog> {
  const { rows } = await database.query<Row & { readonly total: number }>(
    `select ${COLUMNS}, count(*) over () as total from effects
     where starts_with(operation_key, $1) order by id desc limit 200`,
    [prefix],
  );
  return {
    total: rows[0]?.total ?? 0,
    effects: rows.map(({ total, ...row }) => toEffect(row)),
  };
}

export async function findEffect(database: Queryable, requestId: string): Promise<Effect | null> {
  const { rows } = await database.query<Row>(
    `select ${COLUMNS} from effects where request_id = $1`,
    [requestId],
  );
  return rows[0] ? toEffect(rows[0]) : null;
}

export async function appendEffect(
  transaction: Transaction,
  effect: Omit<Effect, "id" | "at">,
): Promise<void> {
  await transaction.query(
    `insert into effects (operation_key, order_id, request_id, fence) values ($1, $2, $3, $4)`,
    [effect.operationKey, effect.orderId, effect.requestId, effect.fence],
  );
}
