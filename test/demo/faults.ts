import { once } from "node:events";
import { Agent, get, type IncomingMessage, request } from "node:http";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DemoClient, type DemoServer, startDemoServer } from "./demo-server.js";

const DEFAULTS = {
  answers: "normal",
  delayMs: 4_000,
  receipts: "normal",
  deduplicate: true,
  holding: 0,
};

export function describeFaults(database: PGlite): void {
  describe("answers after the commit", () => {
    let server: DemoServer;
    let client: DemoClient;

    beforeAll(async () => {
      server = await startDemoServer(database);
      client = new DemoClient(server.url);
    });
    afterAll(() => server.close());
    beforeEach(() => client.reset());

    const untilHolding = (count: number) =>
      vi.waitFor(async () => expect((await client.faults()).holding).toBe(count));
    const untilEffects = (count: number) =>
      vi.waitFor(async () => expect((await client.effects()).total).toBe(count));

    async function healthOver(agent: Agent): Promise<boolean> {
      const sent = get(`${server.url}/api/health`, { agent });
      const [response]: IncomingMessage[] = await once(sent, "response");
      response?.resume();
      await once(sent, "close");
      return sent.reusedSocket;
    }

    test("a lost answer starts and breaks off, and its effect is there", async () => {
      await client.setFaults({ answers: "lost" });
      const sent = request(`${server.url}/api/orders/A-1001/cancel`, {
        method: "POST",
        headers: { "Idempotency-Key": "k", "X-Request-Id": "r" },
      }).end();
      const [response]: IncomingMessage[] = await once(sent, "response");
      expect(response?.statusCode).toBe(200);

      let received = 0;
      response?.on("data", (chunk: Buffer) => {
        received += chunk.length;
      });
      const [error] = await once(response ?? sent, "error");
      expect(error).toMatchObject({ code: "ECONNRESET" });
      expect(received).toBe(Math.floor(Number(response?.headers["content-length"]) / 2));
      expect((await client.effects()).total).toBe(1);
    });

    test("every cancellation loses its answer, also one that is answered from its receipt", async () => {
      await client.setFaults({ answers: "lost" });
      for (let round = 0; round < 3; round++) {
        await expect(client.cancel("A-1001", "k")).rejects.toThrow();
      }
      expect((await client.effects()).total).toBe(1);
      await client.setFaults({ answers: "normal" });
      expect((await client.cancel("A-1001", "k")).status).toBe(200);
    });

    test("a lost answer cuts no other connection", async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        expect(await healthOver(agent)).toBe(false);
        await client.setFaults({ answers: "lost" });
        await expect(client.cancel("A-1001", "k")).rejects.toThrow();
        expect(await healthOver(agent)).toBe(true);
      } finally {
        agent.destroy();
      }
    });

    test("a delayed answer comes after its delay", async () => {
      await client.setFaults({ answers: "delayed", delayMs: 120 });
      const start = performance.now();
      expect((await client.cancel("A-1001", "k")).status).toBe(200);
      // Node's timers may fire a millisecond early.
      expect(performance.now() - start).toBeGreaterThanOrEqual(119);
    });

    test("the effect does not wait for a delayed answer", async () => {
      await client.setFaults({ answers: "delayed", delayMs: 60_000 });
      const leaving = new AbortController();
      const cancelled = client.cancel("A-1001", "k", { signal: leaving.signal });
      await untilEffects(1);
      leaving.abort();
      await expect(cancelled).rejects.toThrow("abort");
    });

    test("a failed answer is an error, and its effect is there", async () => {
      await client.setFaults({ answers: "failed" });
      expect((await client.cancel("A-1001", "k")).status).toBe(500);
      expect((await client.effects()).total).toBe(1);
    });

    test("held answers are counted, and go out when the setting changes", async () => {
      await client.setFaults({ answers: "held" });
      const held = [client.cancel("A-1001", "k1"), client.cancel("A-1002", "k2")];
      await untilHolding(2);
      expect((await client.effects()).total).toBe(2);

      await client.setFaults({ deduplicate: false });
      expect((await client.faults()).holding).toBe(2);

      await client.setFaults({ answers: "normal" });
      expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
      expect((await client.faults()).holding).toBe(0);
    });

    test("held answers go out under the new setting", async () => {
      await client.setFaults({ answers: "held" });
      const held = expect(client.cancel("A-1001", "k")).rejects.toThrow();
      await untilHolding(1);
      await client.setFaults({ answers: "lost" });
      await held;
    });

    test("a client that goes away leaves the count, and the others are still held", async () => {
      await client.setFaults({ answers: "held" });
      const leaving = new AbortController();
      const left = client.cancel("A-1001", "k1", { signal: leaving.signal });
      const stays = client.cancel("A-1002", "k2");
      await untilHolding(2);

      leaving.abort();
      await expect(left).rejects.toThrow("abort");
      await untilHolding(1);
      await client.setFaults({ answers: "normal" });
      expect((await stays).status).toBe(200);
    });

    test("a held answer that is now delayed is no longer held", async () => {
      await client.setFaults({ answers: "held" });
      const leaving = new AbortController();
      const delayed = client.cancel("A-1001", "k", { signal: leaving.signal });
      await untilHolding(1);
      await client.setFaults({ answers: "delayed", delayMs: 60_000 });
      expect((await client.faults()).holding).toBe(0);
      leaving.abort();
      await expect(delayed).rejects.toThrow("abort");
    });

    test("a client that went away before the commit is never counted", async () => {
      await client.setFaults({ answers: "held" });
      const transaction = vi.spyOn(database, "transaction");
      const { promise: gate, open } = createGate();
      const blocking = database.transaction(() => gate);
      const leaving = new AbortController();
      const left = client.cancel("A-1001", "k", { signal: leaving.signal });
      await vi.waitFor(() => expect(transaction).toHaveBeenCalledTimes(2));
      transaction.mockRestore();

      leaving.abort();
      await expect(left).rejects.toThrow("abort");
      await client.call("/api/health");
      open();
      await blocking;
      await untilEffects(1);
      await untilHolding(0);
    });

    test("a reset sends what is held and puts the settings back", async () => {
      await client.setFaults({
        answers: "held",
        delayMs: 5,
        receipts: "unreadable",
        deduplicate: false,
      });
      const held = client.cancel("A-1001", "k");
      await untilHolding(1);
      await client.reset();
      expect((await held).status).toBe(200);
      expect(await client.faults()).toEqual(DEFAULTS);
    });

    test("a change that makes no sense is refused whole", async () => {
      const changes: unknown[] = [
        { answers: "lost", delayMs: -1 },
        { answers: "lost", delayMs: 60_001 },
        { answers: "lost", delayMs: "5" },
        { answers: "gone" },
        { receipts: "lost" },
        { deduplicate: "no" },
        { holding: 1 },
        { constructor: {} },
        ["answers"],
        null,
        "lost",
      ];
      for (const change of changes) {
        const { status } = await client.send("PUT", "/api/faults", change);
        expect(status, JSON.stringify(change)).toBe(400);
      }
      expect(await client.faults()).toEqual(DEFAULTS);
    });
  });
}

function createGate(): { promise: Promise<void>; open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
