import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DemoClient, type DemoServer, startDemoServer } from "./demo-server.js";

const refusedWith = (status: number, code: string) => ({
  status,
  body: { code, message: expect.any(String) },
});

export function describeCancelling(database: PGlite): void {
  describe("cancelling an order", () => {
    let server: DemoServer;
    let client: DemoClient;

    beforeAll(async () => {
      server = await startDemoServer(database);
      client = new DemoClient(server.url);
    });
    afterAll(() => server.close());
    beforeEach(() => client.reset());

    test("cancels it, logs one effect and gives a receipt", async () => {
      const key = "ann: Grüße/取消 😀";
      const { status, body } = await client.cancel("A-1001", key, { request: "r", fence: 7 });

      expect(status).toBe(200);
      expect(body).toEqual({
        order: expect.objectContaining({ id: "A-1001", status: "cancelled" }),
        receipt: {
          operationKey: key,
          orderId: "A-1001",
          cancelledAt: expect.stringMatching(/^\d{4}-.+Z$/),
        },
      });
      expect(await client.effects()).toEqual({
        total: 1,
        effects: [
          {
            id: 1,
            operationKey: key,
            orderId: "A-1001",
            requestId: "r",
            fence: 7,
            at: expect.stringMatching(/^\d{4}-.+Z$/),
          },
        ],
      });
      expect((await client.call("/api/orders/A-1001")).body).toMatchObject({ status: "cancelled" });
    });

    test("refuses missing and shipped orders without an effect", async () => {
      expect(await client.cancel("A-9999", "k")).toEqual(refusedWith(404, "order_not_found"));
      expect(await client.cancel("A-1006", "k")).toEqual(refusedWith(409, "order_already_shipped"));
      expect((await client.effects()).total).toBe(0);
      expect((await client.lookup("k", 0)).body).toEqual({ receipt: null, order: null });
    });

    test("answers a repeated key with the first receipt and no second effect", async () => {
      const first = await client.cancel("A-1001", "k");
      expect(await client.cancel("A-1001", "k")).toEqual(first);
      expect((await client.effects()).total).toBe(1);
    });

    test("does not answer for one order with the receipt of another", async () => {
      await client.cancel("A-1001", "k");
      expect(await client.cancel("A-1002", "k")).toEqual(refusedWith(409, "operation_key_reused"));
      expect((await client.effects()).total).toBe(1);
    });

    test("applies a key again without deduplication, so that the log shows what the pages did", async () => {
      await client.setFaults({ deduplicate: false });
      const first = await client.cancel("A-1001", "k");
      expect(await client.cancel("A-1001", "k")).toEqual(first);
      expect((await client.effects()).total).toBe(2);
    });

    test("never applies a request that the browser sent twice, even without deduplication", async () => {
      await client.setFaults({ deduplicate: false });
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => client.cancel("A-1001", "k", { request: "same" })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect((await client.effects()).total).toBe(1);
    });

    test("gives a repeated request its answer although its fence was closed meanwhile", async () => {
      const first = await client.cancel("A-1001", "k", { request: "same", fence: 3 });
      await client.lookup("k", 5);
      expect(await client.cancel("A-1001", "k", { request: "same", fence: 3 })).toEqual(first);
    });

    test("refuses a request id that belongs to another attempt", async () => {
      await client.cancel("A-1001", "k", { request: "same" });
      const reused = refusedWith(409, "request_id_reused");
      expect(await client.cancel("A-1002", "k", { request: "same" })).toEqual(reused);
      expect(await client.cancel("A-1001", "other", { request: "same" })).toEqual(reused);
      expect((await client.effects()).total).toBe(1);
    });

    test("applies parallel attempts with one key once, and gives them equal answers", async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, () => client.cancel("A-1001", "k")),
      );
      expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
      expect(replies[0]?.status).toBe(200);
      expect((await client.effects()).total).toBe(1);
    });

    test("applies parallel attempts once each without deduplication", async () => {
      await client.setFaults({ deduplicate: false });
      await Promise.all(Array.from({ length: 12 }, () => client.cancel("A-1001", "k")));
      expect((await client.effects()).total).toBe(12);
    });

    describe("after a receipt was looked up", () => {
      test("an attempt up to that fence is refused for good, a later one is not", async () => {
        expect((await client.lookup("k", 5)).body).toEqual({ receipt: null, order: null });
        const closed = refusedWith(409, "attempt_closed");
        expect(await client.cancel("A-1001", "k", { fence: 4 })).toEqual(closed);
        expect(await client.cancel("A-1001", "k", { fence: 5 })).toEqual(closed);
        expect((await client.effects()).total).toBe(0);

        expect((await client.cancel("A-1001", "other", { fence: 5 })).status).toBe(200);
        expect((await client.cancel("A-1001", "k", { fence: 6 })).status).toBe(200);
      });

      test("a look with a lower fence does not open attempts again", async () => {
        await client.lookup("k", 5);
        await client.lookup("k", 2);
        expect((await client.cancel("A-1001", "k", { fence: 4 })).status).toBe(409);
      });

      test("a closed attempt is refused although the key has a receipt", async () => {
        await client.cancel("A-1001", "k", { fence: 1 });
        expect((await client.lookup("k", 2)).body).toEqual({
          receipt: expect.objectContaining({ operationKey: "k", orderId: "A-1001" }),
          order: expect.objectContaining({ id: "A-1001", status: "cancelled" }),
        });
        expect(await client.cancel("A-1001", "k", { fence: 2 })).toEqual(
          refusedWith(409, "attempt_closed"),
        );
      });

      test("no receipt and an effect never go together, however the two race", async () => {
        for (let round = 0; round < 10; round++) {
          const key = `race-${round}`;
          const [looked, cancelled] = await Promise.all(
            round % 2 === 0
              ? [client.lookup(key, 1), client.cancel("A-1001", key, { fence: 1 })]
              : [client.cancel("A-1001", key, { fence: 1 }), client.lookup(key, 1)].reverse(),
          );
          const found = JSON.stringify(looked?.body) !== '{"receipt":null,"order":null}';
          expect(cancelled?.status).toBe(found ? 200 : 409);
          expect((await client.effects(key)).total).toBe(found ? 1 : 0);
        }
      });

      test("unreadable receipts close nothing", async () => {
        await client.setFaults({ receipts: "unreadable" });
        expect(await client.lookup("k", 5)).toEqual(refusedWith(503, "receipts_unreadable"));
        expect((await client.cancel("A-1001", "k", { fence: 5 })).status).toBe(200);
      });
    });

    describe("the log of effects", () => {
      test("cannot be changed or shortened, only emptied by a reset", async () => {
        await client.cancel("A-1001", "k");
        for (const statement of ["update effects set fence = 1", "delete from effects"]) {
          await expect(database.exec(statement)).rejects.toThrow("append-only");
        }
        expect((await client.effects()).total).toBe(1);
        await client.reset();
        expect((await client.effects()).total).toBe(0);
      });

      test("is counted by a literal prefix and lists the newest 200", async () => {
        await client.setFaults({ deduplicate: false });
        for (let round = 0; round < 203; round++) await client.cancel("A-1001", "a%:1");
        await client.cancel("A-1002", "ab:2");

        const { total, effects } = await client.effects("a%");
        expect(total).toBe(203);
        expect(effects).toHaveLength(200);
        expect([effects[0]?.id, effects[199]?.id]).toEqual([203, 4]);
        expect((await client.effects()).total).toBe(204);
        expect(await client.effects("none")).toEqual({ total: 0, effects: [] });
      });
    });

    test("a reset writes the same orders each time, every sixth of them shipped", async () => {
      const first = await client.send("POST", "/api/reset", { orders: 30 });
      await client.cancel("A-1001", "k");
      expect(await client.send("POST", "/api/reset", { orders: 30 })).toEqual(first);
      expect(await client.call("/api/orders")).toEqual(first);

      const orders: { id: string; status: string }[] = JSON.parse(JSON.stringify(first.body));
      expect(orders.map(({ id }) => id)).toEqual(
        Array.from({ length: 30 }, (_, index) => `A-${1001 + index}`),
      );
      expect(orders.filter(({ status }) => status === "shipped").map(({ id }) => id)).toEqual([
        "A-1006",
        "A-1012",
        "A-1018",
        "A-1024",
        "A-1030",
      ]);
      expect((await client.lookup("k", 0)).body).toEqual({ receipt: null, order: null });
    });
  });
}
