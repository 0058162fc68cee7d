import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { lockDirectory } from "./lock.js";
import { listOrders, resetOrders } from "./orders.js";
import { createTables } from "./schema.js";
import { DEFAULT_ORDER_COUNT } from "./seed.js";
import { StartError } from "./start-error.js";

export interface OpenDatabase {
  readonly database: PGlite;
  /** Waits for running transactions, then closes the database and frees its directory. */
  close(): Promise<void>;
}

/**
 * Opens the database in a directory, which is created if it is missing; a new database gets its
 * first orders.
 *
 * @throws {StartError} if the directory is in use, cannot be used, or holds a damaged database.
 */
export async function openDatabase(directory: string): Promise<OpenDatabase> {
  const unlock = await claim(directory);
  const files = join(directory, "database");
  try {
    const database = await PGlite.create(files);
    await prepareDatabase(database);
    return {
      database,
      async close() {
        await database.close();
        await unlock();
      },
    };
  } catch (cause) {
    await unlock();
    throw new StartError(
      `The database in ${files} cannot be opened (${reasonOf(cause)}). Delete that directory to ` +
        "start afresh, or choose another one with --data.",
      { cause },
    );
  }
}

/** Makes a database ready for the server: tables, and orders if there are none. */
export async function prepareDatabase(database: PGlite): Promise<void> {
  await createTables(database);
  const orders = await listOrders(database);
  if (orders.length === 0) await resetOrders(database, DEFAULT_ORDER_COUNT);
}

async function claim(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(directory, { recursive: true });
    return await lockDirectory(directory);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      `${directory} cannot be used (${reasonOf(cause)}). Choose another directory with --data.`,
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  const [line] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return (line || "unknown reason").replace(/\.+$/, "");
}
