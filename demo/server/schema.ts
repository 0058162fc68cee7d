import type { PGlite } from "@electric-sql/pglite";

const SCHEMA = `
  create table if not exists orders (
    id text primary key,
    item text not null,
    amount_cents integer not null check (amount_cents > 0),
    status text not null check (status in ('open', 'cancelled', 'shipped'))
  );

  create table if not exists receipts (
    operation_key text primary key,
    order_id text not null references orders,
    cancelled_at timestamptz not null default now()
  );

  create table if not exists effects (
    id serial primary key,
    operation_key text not null,
    order_id text not null references orders,
    request_id text not null unique,
    fence bigint,
    at timestamptz not null default now()
  );

  create table if not exists closed (
    operation_key text primary key,
    through_fence bigint not null
  );

  create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name;
  end
  $$;

  create or replace trigger effects_append_only
    before update or delete on effects
    for each statement execute function refuse_change();
`;

/** Creates what is missing of the tables and of the trigger that keeps the log append-only. */
export async function createTables(database: PGlite): Promise<void> {
  await database.exec(SCHEMA);
}
