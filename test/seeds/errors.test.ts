import {
  AuthorizationError,
  ConfirmationError,
  createSignett,
  guard,
  OutcomeUnknownError,
  ToolError,
  ValidationError,
  VerificationError,
} from "signett";
import {
  createWebMcpTestHarness,
  MemoryIdempotencyStore,
  MemoryOperationJournal,
} from "signett/testing";
import { describe, expect, test } from "vitest";

const inputSchema = {
  type: "object",
  properties: { orderId: { type: "string" } },
  required: ["orderId"],
} as const;

/** The message that an agent gets when the handler throws. */
async function messageOf(execute: (input: { orderId: string }) => never): Promise<string> {
  const harness = createWebMcpTestHarness();
  const signett = createSignett({ modelContext: harness.modelContext });
  await signett.expose({ name: "act", description: "Act on one order.", inputSchema, execute });
  return harness.invoke("act", { orderId: "o-17" }).then(
    () => "no error",
    (error: Error) => error.message,
  );
}

describe("errors", () => {
  test("ToolError: the message has code and retry policy, and no details", async () => {
    const message = await messageOf(({ orderId }) => {
      throw new ToolError({
        code: "order_already_shipped",
        message: "Shipped orders cannot be cancelled.",
        retry: "never",
        details: { orderId },
      });
    });
    expect(message).toContain("Shipped orders cannot be cancelled.");
    expect(message).toContain("order_already_shipped");
    expect(message).toContain("never");
    expect(message).not.toContain("o-17");
  });

  test("ToolError: a repair is the agent's next action, and the agent is told to wait for the tool", async () => {
    const message = await messageOf(() => {
      throw new ToolError({
        code: "slot_stale",
        message: "The selected slot is no longer available.",
        retry: "after_repair",
        repair: {
          action: "call_tool",
          tool: "list_available_slots",
          instruction: "Choose a current slot, then retry with the same operationId.",
        },
      });
    });
    expect(message).toMatch(/Next action: call list_available_slots and wait .*before continuing/);
    expect(message).toContain("Choose a current slot, then retry with the same operationId.");
  });

  test("ToolError: a plan is numbered steps in order, not in parallel, with what to keep and to replace", async () => {
    const message = await messageOf(() => {
      throw new ToolError({
        code: "payment_source_stale",
        message: "The source account changed after authorization.",
        retry: "after_repair",
        repair: {
          steps: [
            {
              action: "call_tool",
              tool: "list_payment_accounts",
              instruction: "Refresh the source account state.",
            },
            {
              action: "call_tool",
              tool: "prepare_payment_authorization",
              instruction: "Create a replacement authorization.",
            },
            {
              action: "retry_same_operation",
              tool: "send_payment",
              instruction: "Retry with the replacement authorization.",
            },
          ],
          preserve: ["operationId", "amount", "receiverId"],
          update: ["authorizationId"],
        },
      });
    });
    expect(message).toMatch(
      /in order, not in parallel.* 1\. .*list_payment_accounts.* 2\. .*prepare_payment_authorization.* 3\. .*send_payment/,
    );
    expect(message).toContain("Keep unchanged: operationId, amount, receiverId.");
    expect(message).toContain("Replace from the repair's result: authorizationId.");
  });

  test("AuthorizationError: a denial has this name and code", async () => {
    const call = guard(() => "done", { name: "act", inputSchema, authorize: () => false });
    const error = await failureOf(call({ orderId: "o-17" }), AuthorizationError);
    expect(error.name === "AuthorizationError").toBe(true);
    expect(error.code === "authorization_denied").toBe(true);
  });

  test("ConfirmationError: a decline has its code", async () => {
    const call = guard(() => "done", { name: "act", inputSchema, confirm: () => false });
    const error = await failureOf(call({ orderId: "o-17" }), ConfirmationError);
    expect(error.code).toBe("confirmation_declined");
  });

  test("VerificationError: a result that is not verified has this name and code", async () => {
    const call = guard(() => "done", { name: "act", inputSchema, verify: () => false });
    const error = await failureOf(call({ orderId: "o-17" }), VerificationError);
    expect(error.name === "VerificationError").toBe(true);
    expect(error.code === "verification_failed").toBe(true);
  });

  test("OutcomeUnknownError: a lost answer without proof is not retryable and keeps its cause", async () => {
    const lost = new Error("The answer was lost.");
    const error = await failureOf(losing(lost)({ orderId: "o-17" }), OutcomeUnknownError);
    expect(error.name === "OutcomeUnknownError").toBe(true);
    expect(error.code === "outcome_unknown").toBe(true);
    expect(error.retryable === false).toBe(true);
    expect(error.cause).toBe(lost);
  });

  test("Handle by code or class: each failure finds its handler, and others keep their identity", async () => {
    const showInvalidInput = (issues: readonly { path: string }[]) =>
      `input: ${issues.map(({ path }) => path)}`;
    const showExpectedFailure = (code: string, _message: string) => `expected: ${code}`;
    const showPermissionMessage = (_message: string) => "permission";
    const showUncertainOutcome = (_message: string) => "uncertain";
    const showReconciliationRequired = (_message: string) => "reconcile";
    const { signal } = new AbortController();

    async function handled(execute: ReturnType<typeof losing>, input: unknown): Promise<string> {
      try {
        return await execute(input, { signal });
      } catch (error) {
        if (error instanceof ValidationError) {
          return showInvalidInput(error.issues);
        }

        if (error instanceof ToolError) {
          return showExpectedFailure(error.code, error.message);
        }

        if (error instanceof AuthorizationError) {
          return showPermissionMessage(error.message);
        }

        if (error instanceof VerificationError) {
          return showUncertainOutcome(error.message);
        }

        if (error instanceof OutcomeUnknownError) {
          return showReconciliationRequired(error.message);
        }

        throw error;
      }
    }

    const order = { orderId: "o-17" };
    const act = { name: "act", inputSchema };
    const done = () => "done";
    const failing = (error: Error) => (): string => {
      throw error;
    };
    const shipped = new ToolError({ code: "order_already_shipped", message: "Shipped." });
    const foreign = new RangeError("not Signett's");
    expect(await handled(guard(done, act), order)).toBe("done");
    expect(await handled(guard(done, act), {})).toBe("input: /orderId");
    expect(await handled(guard(failing(shipped), act), order)).toBe(
      "expected: order_already_shipped",
    );
    const denied = guard(done, { ...act, authorize: () => false });
    expect(await handled(denied, order)).toBe("permission");
    expect(await handled(guard(done, { ...act, verify: () => false }), order)).toBe("uncertain");
    expect(await handled(losing(foreign), order)).toBe("reconcile");
    await expect(handled(guard(failing(foreign), act), order)).rejects.toBe(foreign);
  });
});

/** A function whose effect may have happened, and whose answer is lost. */
function losing(error: Error) {
  return guard(
    async (_input: { orderId: string }, { operation }): Promise<string> => {
      await operation?.write({ sent: true });
      throw error;
    },
    {
      name: "act",
      inputSchema,
      idempotency: { store: new MemoryIdempotencyStore(), key: ({ input }) => input.orderId },
      journal: { store: new MemoryOperationJournal() },
    },
  );
}

async function failureOf<E extends Error>(
  call: Promise<unknown>,
  type: new (...args: never[]) => E,
): Promise<E> {
  const failure = await call.catch((error: unknown) => error);
  if (failure instanceof type) return failure;
  throw new Error(`Expected ${type.name}.`, { cause: failure });
}
