import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { openDatabase } from "./database.js";
import { readOptions } from "./options.js";
import { createDemoServer } from "./server.js";
import { StartError } from "./start-error.js";

const HOST = "127.0.0.1";
const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

async function main(): Promise<void> {
  const stopped = stopSignal();
  const { port, data, pages } = readOptions(process.argv.slice(2), PACKAGE_ROOT);
  const { database, close } = await openDatabase(data);
  try {
    const server = createDemoServer({ database, pages });
    console.log(`Signett demo: http://localhost:${await listen(server, port)}/`);
    await stopped;
    await stop(server);
  } finally {
    await close();
  }
}

/** Resolves at the first signal to stop; the same signal again ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new StartError(whyNot(cause, port), { cause })));
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}

function whyNot(cause: Error, port: number): string {
  const inUse = "code" in cause && cause.code === "EADDRINUSE";
  const reason = inUse ? "is in use" : `cannot be opened (${cause.message})`;
  return `Port ${port} ${reason}. Choose another one with --port, or --port 0 for any.`;
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
