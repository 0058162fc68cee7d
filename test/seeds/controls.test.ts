import { createSignett, WebStorageOperationJournal } from "signett";
import { IndexedDbIdempotencyStore } from "signett/stores";
import {
  createTestLockManager,
  createWebMcpTestHarness,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "signett/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeStorage } from "../unit/per-tab/storage.js";
import { gate } from "../unit/runtime/tab.js";
import { emptyStorage } from "../unit/stores/indexeddb.js";
import { type Cancellation, type Customer, cancelOrderInput, Shop } from "./shop.js";

beforeEach(() => {
  emptyStorage();
  vi.stubGlobal("navigator", { locks: createTestLockManager() });
  vi.stubGlobal("sessionStorage", makeStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A shop's page whose agent calls `cancel_order`. */
function openPage() {
  const shop = new Shop();
  const harness = createWebMcpTestHarness();
  const signett = createSignett<Customer>({
    context: shop.currentSession,
    modelContext: harness.modelContext,
  });
  const cancel = (orderId: string, operationId = "op-1") =>
    harness.invoke("cancel_order", { orderId, operationId });
  return { shop, signett, cancel };
}

const metadata = {
  name: "cancel_order",
  description: "Cancel one open order by its ID.",
  inputSchema: cancelOrderInput,
};

/** What makes a tool idempotent, where a sample is about something else. */
const idempotent = () => ({
  idempotency: {
    store: new MemoryIdempotencyStore(),
    key: ({ input }: { input: Cancellation }) => input.operationId,
  },
  journal: { store: new MemoryOperationJournal() },
});

describe("core concepts", () => {
  test("Authorization: it is asked before execution and before a replay", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder } = shop;

    await signett.expose({
      ...metadata,
      ...idempotent(),
      execute: async ({ orderId }, { context, operation, signal }) => {
        await operation?.write({ orderId });
        return cancelOrder({ orderId, accountId: context.accountId, signal });
      },
      authorize: ({ context }) => ({
        allowed: context.scopes.includes("orders:cancel"),
        reason: "The signed-in account cannot cancel orders.",
      }),
    });

    await expect(cancel("17")).resolves.toMatchObject({ status: "cancelled" });
    shop.customer.scopes = [];
    for (const operationId of ["op-1", "op-2"]) {
      await expect(cancel("17", operationId)).rejects.toMatchObject({
        code: "authorization_denied",
        message: expect.stringContaining("The signed-in account cannot cancel orders."),
      });
    }
    expect(shop.effects).toEqual(["17"]);
  });

  test("Confirmation: a plain function confirms every invocation", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder, confirmCancellation } = shop;

    await signett.expose({
      ...metadata,
      execute: ({ orderId }, { context, signal }) =>
        cancelOrder({ orderId, accountId: context.accountId, signal }),
      confirm: ({ input }) => confirmCancellation(input.orderId),
    });

    await cancel("17");
    shop.consent = false;
    await expect(cancel("17")).rejects.toMatchObject({ code: "confirmation_declined" });
    expect(shop.asked).toEqual(["17", "17"]);
    expect(shop.effects).toEqual(["17"]);
  });

  test("Confirmation: effect-only does not ask again for a completed replay", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder, confirmCancellation } = shop;

    await signett.expose({
      ...metadata,
      ...idempotent(),
      execute: async ({ orderId }, { context, operation, signal }) => {
        await operation?.write({ orderId });
        return cancelOrder({ orderId, accountId: context.accountId, signal });
      },
      confirm: {
        mode: "effect-only",
        request: ({ input }) => confirmCancellation(input.orderId),
      },
    });

    const first = await cancel("17");
    shop.consent = false;
    await expect(cancel("17")).resolves.toEqual(first);
    expect(shop.asked).toEqual(["17"]);
    await expect(cancel("18", "op-2")).rejects.toMatchObject({ code: "confirmation_declined" });
    expect(shop.effects).toEqual(["17"]);
  });

  test("Idempotency: equal keys converge on one effect, different keys are concurrent", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder } = shop;

    const idempotencyStore = new IndexedDbIdempotencyStore();

    await signett.expose({
      ...metadata,
      journal: { store: new MemoryOperationJournal() },
      execute: async ({ orderId }, { context, operation, signal }) => {
        await operation?.write({ orderId });
        return cancelOrder({ orderId, accountId: context.accountId, signal });
      },
      // Inside a tool definition:
      idempotency: {
        store: idempotencyStore,
        key: ({ input, context }) =>
          [context.accountId, input.operationId, input.orderId, "cancel_order"].join(":"),
      },
    });

    // Neither is answered before both are committed.
    const { opened, open } = gate();
    shop.afterCommit = () => {
      if (shop.effects.length === 2) open();
      return opened;
    };
    const answers = await Promise.all([cancel("17"), cancel("17"), cancel("18"), cancel("18")]);
    expect([...shop.effects].sort()).toEqual(["17", "18"]);
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[2]).toEqual(answers[3]);
  });

  test("Operation journals and recovery: a lost answer is recovered from the authority, or unknown", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder, getOrder } = shop;

    const operationJournal = new WebStorageOperationJournal(sessionStorage, "signett:operation:");

    await signett.expose({
      ...metadata,
      idempotency: {
        store: new IndexedDbIdempotencyStore(),
        key: ({ input }) => `${input.operationId}:${input.orderId}`,
      },
      // Inside the same tool definition:
      journal: { store: operationJournal },

      execute: async ({ orderId }, { context, operation, signal }) => {
        await operation?.write({ orderId });
        return cancelOrder({ orderId, accountId: context.accountId, signal });
      },

      recover: async ({ input, context, operation, signal }) => {
        const correlation = await operation?.read<{ orderId: string }>();
        if (!correlation) return { recovered: false };
        if (correlation.orderId !== input.orderId) {
          return { recovered: false, outcome: "unknown" };
        }

        const order = await getOrder(input.orderId, { signal });
        return order?.accountId === context.accountId && order.status === "cancelled"
          ? { recovered: true, output: order }
          : { recovered: false, outcome: "unknown" };
      },
    });

    const lost = new Error("The answer was lost.");
    shop.afterCommit = async () => {
      throw lost;
    };
    await expect(cancel("17")).resolves.toMatchObject({ orderId: "17", status: "cancelled" });

    // The backend has forgotten the order: neither success nor non-execution can be proven.
    shop.afterCommit = async () => {
      shop.orders.delete("18");
      throw lost;
    };
    await expect(cancel("18")).rejects.toMatchObject({ code: "outcome_unknown", cause: lost });
    await expect(cancel("18")).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(shop.effects).toEqual(["17", "18"]);
  });

  test("Verification: authoritative state is read after a fresh execution and after a replay", async () => {
    const { shop, signett, cancel } = openPage();
    const { cancelOrder, getOrder } = shop;

    await signett.expose({
      ...metadata,
      ...idempotent(),
      execute: async ({ orderId }, { context, operation, signal }) => {
        await operation?.write({ orderId });
        return cancelOrder({ orderId, accountId: context.accountId, signal });
      },
      verify: async ({ input, context, signal }) => {
        const order = await getOrder(input.orderId, { signal });
        return order?.accountId === context.accountId && order.status === "cancelled";
      },
      verifyTimeoutMs: 10_000,
    });

    await expect(cancel("17")).resolves.toMatchObject({ status: "cancelled" });
    shop.orders.set("17", { orderId: "17", accountId: "a-1", status: "open" });
    await expect(cancel("17")).rejects.toMatchObject({ code: "verification_failed" });
    expect(shop.effects).toEqual(["17"]);
  });

  test("Verification: an output over its budget is diagnosed, and completed work stays", async () => {
    const { shop, signett, cancel } = openPage();
    const stages: string[] = [];
    signett.observe(({ stage }) => stages.push(stage));

    await signett.expose({
      ...metadata,
      execute: async ({ orderId }) => ({ ...shop.orders.get(orderId), note: "x".repeat(2_048) }),
      outputBudgetBytes: 2_048,
    });

    await expect(cancel("17")).resolves.toMatchObject({ orderId: "17" });
    expect(stages).toContain("output_oversized");
    expect(stages.at(-1)).toBe("succeeded");
  });
});
