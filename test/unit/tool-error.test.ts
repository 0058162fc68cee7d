import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SignettError } from "../../src/errors.js";
import {
  type Repair,
  type RepairAction,
  type RetryPolicy,
  ToolError,
  type ToolErrorOptions,
} from "../../src/tool-error.js";

const failure = { code: "slot_stale", message: "The slot is gone." };
const refresh: Repair = {
  action: "call_tool",
  tool: "list_available_slots",
  instruction: "Choose a current slot.",
};

/** What plain JavaScript can do to the constructor. */
const construct = (options: unknown): ToolError => Reflect.construct(ToolError, [options]);

describe("the samples of the errors documentation", () => {
  it("a plain failure says what failed, its code and that a retry is not allowed", () => {
    const details = { orderId: "order-4711" };
    const error = new ToolError({
      code: "order_already_shipped",
      message: "Shipped orders cannot be cancelled.",
      retry: "never",
      details,
    });
    expect(error.message).toBe(
      "Shipped orders cannot be cancelled. Code: order_already_shipped. " +
        "Retry: never. Do not repeat this call.",
    );
    expect(error).toMatchObject({
      name: "ToolError",
      code: "order_already_shipped",
      retry: "never",
    });
    expect(error).toBeInstanceOf(SignettError);
    expect(error.retryable).toBe(false);
    expect(error.details).toBe(details);
  });

  it("a single repair is the next action, and a called tool is to be waited for", () => {
    const repair: Repair = {
      action: "call_tool",
      tool: "list_available_slots",
      instruction: "Choose a current slot, then retry with the same operationId.",
    };
    const error = new ToolError({
      code: "slot_stale",
      message: "The selected slot is no longer available.",
      retry: "after_repair",
      repair,
    });
    expect(error.message).toBe(
      "The selected slot is no longer available. Code: slot_stale. " +
        "Retry: after_repair. Do not repeat this call before the cause is repaired. " +
        "Next action: call list_available_slots and wait for its result before continuing: " +
        "Choose a current slot, then retry with the same operationId.",
    );
    expect(error.retryable).toBe(true);
    expect(error.repair).toBe(repair);
  });

  it("a plan is numbered, in order, not in parallel, and names what to keep and to replace", () => {
    const error = new ToolError({
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
    expect(error.message).toBe(
      "The source account changed after authorization. Code: payment_source_stale. " +
        "Retry: after_repair. Do not repeat this call before the cause is repaired. " +
        "Next actions: run these steps in order, not in parallel, and wait for each to finish. " +
        "1. call list_payment_accounts: Refresh the source account state. " +
        "2. call prepare_payment_authorization: Create a replacement authorization. " +
        "3. retry the same operation (tool send_payment): Retry with the replacement authorization. " +
        "Keep unchanged: operationId, amount, receiverId. " +
        "Replace from the repair's result: authorizationId.",
    );
  });
});

describe("the retry policy", () => {
  const cases: [Partial<ToolErrorOptions>, RetryPolicy][] = [
    [{}, "never"],
    [{ repair: refresh }, "after_repair"],
    [{ retryable: false }, "never"],
    [{ retryable: false, repair: refresh }, "never"],
    [{ retryable: true }, "as_is"],
    [{ retryable: true, repair: refresh }, "after_repair"],
    [{ retry: "as_is" }, "as_is"],
    [{ retry: "after_repair" }, "after_repair"],
    [{ retry: "never", repair: refresh }, "never"],
    [{ retry: "never", retryable: true }, "never"],
    [{ retry: "as_is", retryable: false, repair: refresh }, "as_is"],
  ];

  it.each(cases)("of %j is %s", (options, policy) => {
    const error = new ToolError({ ...failure, ...options });
    expect(error.retry).toBe(policy);
    expect(error.retryable).toBe(policy !== "never");
    expect(error.message).toContain(`Retry: ${policy}. `);
  });

  it.each(["always", "toString", null, 1, { retry: "as_is" }])(
    "is never where an untyped caller gave %j",
    (retry) => {
      expect(construct({ ...failure, retry, repair: refresh }).retry).toBe("never");
    },
  );

  it.each([0, "", "false", {}])(
    "is never where an untyped caller gave retryable: %j",
    (retryable) => {
      expect(construct({ ...failure, retryable, repair: refresh }).retry).toBe("never");
    },
  );

  it("is spelled out for the agent", () => {
    const said = (retry: RetryPolicy) => new ToolError({ ...failure, retry }).message;
    expect(said("never")).toMatch(/Do not repeat this call\.$/);
    expect(said("as_is")).toMatch(/The same call may be repeated unchanged\.$/);
    expect(said("after_repair")).toMatch(/Do not repeat this call before the cause is repaired\.$/);
  });
});

describe("a repair", () => {
  const actions: [RepairAction, string][] = [
    ["change_input", "Next action: change the input (tool pay): Do it."],
    ["call_tool", "Next action: call pay and wait for its result before continuing: Do it."],
    ["refresh_state", "Next action: refresh the state (tool pay): Do it."],
    ["retry_same_operation", "Next action: retry the same operation (tool pay): Do it."],
    ["ask_user", "Next action: ask the user (tool pay): Do it."],
    ["reconcile", "Next action: reconcile the operation (tool pay): Do it."],
    ["stop", "Next action: stop (tool pay): Do it."],
  ];

  it.each(actions)("with %s is rendered for the agent", (action, rendered) => {
    const { message } = new ToolError({
      ...failure,
      repair: { action, tool: "pay", instruction: "Do it" },
    });
    expect(message.endsWith(rendered)).toBe(true);
  });

  it("needs no tool, and can name fields for a single action too", () => {
    const { message } = new ToolError({
      ...failure,
      repair: {
        action: "change_input",
        instruction: "Pick a date.",
        preserve: ["id"],
        update: ["day"],
      },
    });
    expect(message).toMatch(
      /Next action: change the input: Pick a date\. Keep unchanged: id\. Replace from the repair's result: day\.$/,
    );
  });

  it("renders five steps and eight fields a list, says how many more there are, and keeps them all", () => {
    const names = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
    const repair: Repair = {
      steps: names("step", 7).map((instruction) => ({ action: "refresh_state", instruction })),
      preserve: names("keep", 9),
      update: names("new", 8),
    };
    const error = new ToolError({ ...failure, repair });
    expect(error.message).toContain("5. refresh the state: step5. Then 2 more steps. Keep");
    expect(error.message).toContain("keep7, keep8 and 1 more. Replace");
    expect(error.message).toMatch(/new7, new8\.$/);
    expect(error.repair).toBe(repair);
  });
});

describe("an error for the application", () => {
  it("keeps details and cause out of the message", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: "grapheme-ascii" }), (text) => {
        const value = `<${text}>`;
        const cause = new Error(value);
        const error = new ToolError({ ...failure, repair: refresh, details: { value }, cause });
        expect(error.message).not.toContain(value);
        expect(error.details).toEqual({ value });
        expect(error.cause).toBe(cause);
      }),
    );
    expect("cause" in new ToolError(failure)).toBe(false);
  });

  it("can be a base class of the application's own", () => {
    class ShippedError extends ToolError {
      override readonly name = "ShippedError";
    }
    const error = new ShippedError(failure);
    expect(error).toBeInstanceOf(ToolError);
    expect(error.name).toBe("ShippedError");
    expect(new ToolError(failure).stack).toMatch(/^ToolError: /);
  });
});

describe("an untyped caller", () => {
  it.each([
    [undefined],
    [null],
    ["slot_stale"],
    [{}],
    [{ code: "a" }],
    [{ message: "a" }],
    [{ code: "", message: "a" }],
    [{ code: " \u200B\n", message: "a" }],
    [{ code: "a", message: " \t" }],
    [{ code: "a", message: 5 }],
    [{ code: Symbol("a"), message: "a" }],
  ])("gets a TypeError for a missing or blank code or message: %j", (options) => {
    expect(() => construct(options)).toThrow(TypeError);
  });

  it("is told which of the two is missing", () => {
    expect(() => construct({ code: "a" })).toThrow(
      "A ToolError needs a message: text that is not blank.",
    );
    expect(() => construct({ message: "a" })).toThrow(
      "A ToolError needs a code: text that is not blank.",
    );
  });

  it("gets an error whatever the repair is", () => {
    const cyclic: Record<string, unknown> = { action: "stop", instruction: "Stop." };
    cyclic.steps = [cyclic, cyclic];
    const throwing = {
      get steps(): never {
        throw new RangeError("no steps");
      },
    };
    for (const repair of [
      cyclic,
      throwing,
      "stop",
      7,
      [],
      { steps: 5 },
      { steps: [null] },
      Symbol("x"),
    ]) {
      const error = construct({ ...failure, retry: "after_repair", repair });
      expect(error.message).toContain("Code: slot_stale. Retry: after_repair. ");
      expect(error.repair).toBe(repair);
    }
  });

  it("has the readable part of an incomplete repair rendered", () => {
    const rendered = (repair: unknown) => construct({ ...failure, repair }).message;
    expect(rendered({ action: "stop" })).toMatch(/Next action: stop\.$/);
    expect(rendered({ action: "call_tool", instruction: "Look." })).toMatch(
      /: call a tool and wait .*: Look\.$/,
    );
    expect(rendered({ action: "constructor", instruction: "Go." })).toMatch(/: constructor: Go\.$/);
    expect(rendered({ steps: [], preserve: ["id"] })).toMatch(/repaired\. Keep unchanged: id\.$/);
  });
});
