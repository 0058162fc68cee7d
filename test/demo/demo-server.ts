import { once } from "node:events";
import type { PGlite } from "@electric-sql/pglite";
import { expect } from "vitest";
import type { EffectLog, FaultStatus } from "../../demo/server/api.js";
import { createDemoServer } from "../../demo/server/server.js";

export interface DemoServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The demo's server on a free port. */
export async function startDemoServer(
  database: PGlite,
  pages: readonly string[] = [],
): Promise<DemoServer> {
  const server = createDemoServer({ database, pages });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A client of the API: what the demo's page sends, and what a test wants to count. */
export class DemoClient {
  #requests = 0;

  constructor(readonly url: string) {}

  async call(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${this.url}${path}`, init);
    return { status: response.status, body: await response.json() };
  }

  send(method: string, path: string, body: unknown): Promise<Reply> {
    const headers = { "Content-Type": "application/json" };
    return this.call(path, { method, headers, body: JSON.stringify(body) });
  }

  /** Cancels an order; each call is a new attempt unless it names its request. */
  cancel(
    orderId: string,
    key: string,
    { request = `request-${++this.#requests}`, fence, signal }: CancelOptions = {},
  ): Promise<Reply> {
    return this.call(`/api/orders/${orderId}/cancel`, {
      method: "POST",
      headers: {
        "Idempotency-Key": encodeURIComponent(key),
        "X-Request-Id": request,
        ...(fence !== undefined && { "X-Fence": String(fence) }),
      },
      ...(signal && { signal }),
    });
  }

  lookup(operationKey: string, throughFence: number): Promise<Reply> {
    return this.send("POST", "/api/receipts/lookup", { operationKey, throughFence });
  }

  async setFaults(changes: Partial<FaultStatus>): Promise<void> {
    const { status, body } = await this.send("PUT", "/api/faults", changes);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async faults(): Promise<FaultStatus> {
    return (await fetch(`${this.url}/api/faults`)).json();
  }

  async effects(prefix = ""): Promise<EffectLog> {
    return (await fetch(`${this.url}/api/effects?prefix=${encodeURIComponent(prefix)}`)).json();
  }

  async reset(orders?: number): Promise<void> {
    expect((await this.send("POST", "/api/reset", { orders })).status).toBe(200);
  }
}

interface CancelOptions {
  readonly request?: string;
  readonly fence?: number;
  readonly signal?: AbortSignal;
}
