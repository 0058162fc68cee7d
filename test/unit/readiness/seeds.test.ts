import { describe, expect, it } from "vitest";
import type { IdempotencyStore, OperationJournal } from "../../../src/contracts.js";
import { assertToolReady, checkToolReadiness } from "../../../src/readiness/readiness.js";
import type { Tool } from "../../../src/tool.js";

interface Session {
  readonly accountId: string;
  readonly scopes: readonly string[];
}

interface Order {
  readonly accountId: string;
  readonly status: string;
}

const order: Order = { accountId: "a", status: "cancelled" };
const searchProducts = async (_query: string, _options: { signal: AbortSignal }) => ["boots"];
const getOrder = async (_id: string, _options: { signal: AbortSignal }) => order;
const confirmCancellation = async (_orderId: string) => true;

const idempotencyStore: IdempotencyStore = {
  begin: async () => ({ state: "fresh" }),
  complete: async () => {},
  release: async () => {},
  abandon: async () => {},
};

const journalOf = (scope: "tab" | "profile"): OperationJournal => ({
  scope,
  read: () => undefined,
  write: () => {},
  remove: () => {},
});

describe("the core concepts seed's search_products", () => {
  const searchProductsTool = {
    name: "search_products",
    description: "Find products matching one query and return stable product IDs.",
    inputSchema: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 80,
          description: "Words from the product name.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
    execute: ({ query }: { query: string }, { signal }: { signal: AbortSignal }) =>
      searchProducts(query, { signal }),
  };

  it("is ready as it is", () => {
    assertToolReady(searchProductsTool);
    expect(checkToolReadiness(searchProductsTool)).toEqual([]);
  });
});

describe("the core concepts seed's cancel_order", () => {
  /** The seed's fragments in one tool; the journal's scope is all that the tests change. */
  const cancelOrderTool = (
    journal: OperationJournal,
  ): Tool<{ orderId: string; operationId: string }, Session, Order> => ({
    name: "cancel_order",
    description: "Cancel one open order of the account.",
    inputSchema: {
      type: "object",
      properties: {
        orderId: { type: "string", maxLength: 64, description: "The order's stable ID." },
        operationId: { type: "string", maxLength: 64, description: "Names this cancellation." },
      },
      required: ["orderId", "operationId"],
      additionalProperties: false,
    },
    authorize: ({ context }) => ({
      allowed: context.scopes.includes("orders:cancel"),
      reason: "The signed-in account cannot cancel orders.",
    }),
    confirm: {
      mode: "effect-only",
      request: ({ input }) => confirmCancellation(input.orderId),
    },
    idempotency: {
      store: idempotencyStore,
      key: ({ input, context }) =>
        [context.accountId, input.operationId, input.orderId, "cancel_order"].join(":"),
    },
    journal: { store: journal },
    execute: async ({ orderId }, { operation, signal }) => {
      await operation?.write({ orderId });
      return getOrder(orderId, { signal });
    },
    recover: async ({ input, context, operation, signal }) => {
      const correlation = await operation?.read<{ orderId: string }>();
      if (!correlation) return { recovered: false };
      if (correlation.orderId !== input.orderId) return { recovered: false, outcome: "unknown" };
      const found = await getOrder(input.orderId, { signal });
      return found.accountId === context.accountId && found.status === "cancelled"
        ? { recovered: true, output: found }
        : { recovered: false, outcome: "unknown" };
    },
    verify: async ({ input, context, signal }) => {
      const found = await getOrder(input.orderId, { signal });
      return found.accountId === context.accountId && found.status === "cancelled";
    },
    verifyTimeoutMs: 10_000,
    outputBudgetBytes: 2_048,
  });

  it("is told that other tabs can't read a journal over sessionStorage, and nothing else", () => {
    expect(checkToolReadiness(cancelOrderTool(journalOf("tab")))).toMatchObject([
      { code: "journal_of_one_tab", path: "/journal/store" },
    ]);
  });

  it("is ready with a journal that every tab can read", () => {
    assertToolReady(cancelOrderTool(journalOf("profile")));
  });

  it("is ready without its own store and journal, with the profile's", () => {
    const { idempotency, journal: _, ...tool } = cancelOrderTool(journalOf("tab"));
    const key = idempotency?.key ?? (() => "key");
    assertToolReady({ ...tool, idempotency: { key } });
  });
});
