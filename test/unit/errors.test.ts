import { describe, expect, expectTypeOf, it } from "vitest";
import {
  AuthorizationError,
  ClaimLostError,
  ConfirmationError,
  CoordinationUnavailableError,
  IdempotencyConflictError,
  InterruptedOperationError,
  OperationInProgressError,
  OutcomeUnknownError,
  OutputError,
  SignettError,
  ValidationError,
  type ValidationIssue,
  VerificationError,
} from "../../src/errors.js";

describe("every error", () => {
  it.each([
    [new ValidationError([]), "ValidationError", "invalid_input"],
    [new AuthorizationError(), "AuthorizationError", "authorization_denied"],
    [new ConfirmationError(), "ConfirmationError", "confirmation_declined"],
    [new VerificationError(), "VerificationError", "verification_failed"],
    [new OutcomeUnknownError([]), "OutcomeUnknownError", "outcome_unknown"],
    [new InterruptedOperationError(), "InterruptedOperationError", "operation_interrupted"],
    [new OutputError("/a", "a function"), "OutputError", "output_not_serializable"],
    [new IdempotencyConflictError("tool"), "IdempotencyConflictError", "idempotency_conflict"],
    [new OperationInProgressError(1), "OperationInProgressError", "operation_in_progress"],
    [new ClaimLostError(), "ClaimLostError", "claim_lost"],
    [
      new CoordinationUnavailableError({ what: "No.", next: "Go." }),
      "CoordinationUnavailableError",
      "coordination_unavailable",
    ],
  ])("can be told by class, name and code: %s", (error, name, code) => {
    expect(error).toBeInstanceOf(SignettError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    expect(error.code).toBe(code);
    expect(Object.keys(error)).not.toContain("name");
    expect(error.stack).toMatch(new RegExp(`^${name}: `));
    expect("cause" in error).toBe(false);
  });

  it("lets a subclass take a name of its own", () => {
    class Denied extends AuthorizationError {
      constructor() {
        super();
        this.name = "Denied";
      }
    }
    expect(new Denied().name).toBe("Denied");
    expect(new AuthorizationError().name).toBe("AuthorizationError");
  });

  it("narrows by its code", () => {
    expectTypeOf<AuthorizationError["code"]>().toEqualTypeOf<"authorization_denied">();
    expectTypeOf<OutcomeUnknownError["retryable"]>().toEqualTypeOf<false>();
  });
});

describe("a ValidationError", () => {
  const missing = (field: string): ValidationIssue => ({
    path: `/${field}`,
    keyword: "required",
    message: "must be present",
  });
  const wrong = (field: string, keyword = "type"): ValidationIssue => ({
    path: `/${field}`,
    keyword,
    message: "must be string",
  });

  it("tells the agent what to correct, missing fields first", () => {
    const issues = [wrong("quantity", "minimum"), missing("orderId"), missing("operationId")];
    expect(new ValidationError(issues, "cancel_order").message).toBe(
      "Invalid input for cancel_order. Missing: /orderId, /operationId. Invalid: /quantity (minimum). " +
        "Correct the input and call again.",
    );
  });

  it("names the first three other paths and counts the rest", () => {
    expect(new ValidationError(["a", "b", "c", "d", "e"].map((name) => wrong(name))).message).toBe(
      "Invalid input. Invalid: /a (type), /b (type), /c (type) and 2 more. Correct the input and call again.",
    );
  });

  it("names as many missing fields as fit and counts the rest", () => {
    const fields = Array.from({ length: 50 }, (_, index) => `field${index}`);
    const { message } = new ValidationError(fields.map(missing), "t".repeat(500));
    const shown = fields.filter((field) => new RegExp(`/${field}\\b`).test(message));
    expect(shown.length).toBeGreaterThan(10);
    expect(message).toContain(`${shown.at(-1)} and ${50 - shown.length} more.`);
    expect(message).toContain("Correct the input");
  });

  it("lets other faults crowd out no missing field that is short", () => {
    const others = ["a", "b", "c"].map((name) => wrong(name.repeat(60)));
    const { message } = new ValidationError([...others, missing("id"), missing("orderId")], "pay");
    expect(message).toContain("Missing: /id, /orderId. Invalid: /aaa");
  });

  it("stays within 300 characters however long the names are", () => {
    for (let length = 1; length <= 64; length++) {
      const names = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(length, "x"));
      for (const issues of [
        names.map(missing),
        [...names.map(missing), ...names.map((name) => wrong(name))],
      ]) {
        const { message } = new ValidationError(issues, "t".repeat(500));
        expect(message.length).toBeLessThanOrEqual(300);
      }
    }
  });

  it("speaks of the input itself where there is no path", () => {
    expect(new ValidationError([{ ...wrong(""), path: "" }]).message).toContain(
      "the input itself (type)",
    );
  });

  it("reports a fault that several schema branches found once", () => {
    const { message, issues } = new ValidationError([wrong("a"), wrong("a"), wrong("b")]);
    expect(message).toContain("Invalid: /a (type), /b (type). ");
    expect(issues).toHaveLength(3);
  });

  it("has every issue for code, safe from later changes", () => {
    const given = [{ ...missing("orderId"), extra: "dropped" }];
    const error = new ValidationError(given);
    given.push({ ...missing("other"), extra: "" });
    expect(error.issues).toEqual([missing("orderId")]);
    expect(Object.isFrozen(error.issues) && Object.isFrozen(error.issues[0])).toBe(true);
  });
});

describe("a hook that says no", () => {
  it("is quoted with its reason", () => {
    expect(new AuthorizationError("The signed-in account cannot cancel orders.").message).toBe(
      "Authorization denied: The signed-in account cannot cancel orders. This call executed nothing.",
    );
    expect(new ConfirmationError("Closed the dialog").message).toBe(
      "Confirmation declined: Closed the dialog. This call executed nothing.",
    );
  });

  it.each([undefined, "", " \n\u200B"])("is understood without a reason (%j)", (reason) => {
    expect(new AuthorizationError(reason).message).toBe(
      "Authorization denied. This call executed nothing.",
    );
    expect(new VerificationError(reason).message).toMatch(/^The result is not verified\. /);
  });

  it("does not claim that nothing happened when only the verification failed", () => {
    const late = new VerificationError("it did not finish within 10000 ms", { cause: "late" });
    expect(late.message).toContain(
      "not verified: it did not finish within 10000 ms. The effect may have",
    );
    expect(late.cause).toBe("late");
  });

  it("is tolerated when its reason is no text", () => {
    const untyped: unknown = Symbol("no text");
    const error = Reflect.construct(AuthorizationError, [untyped]);
    expect(error.message).toBe("Authorization denied. This call executed nothing.");
  });
});

describe("an OutcomeUnknownError", () => {
  it("warns against a new key and names the two ways out", () => {
    const error = new OutcomeUnknownError([], "the receipt can't be read");
    expect(error.message).toContain("may have committed: the receipt can't be read.");
    expect(error.message).toContain("Do not retry with a new operation key.");
    expect(error.message).toContain("with the same key, or have a person review it.");
    expect(error.retryable).toBe(false);
  });

  it("keeps one cause as it is and several together", () => {
    const [handler, recovery] = [new Error("lost answer"), new Error("no receipt")];
    expect(new OutcomeUnknownError([handler]).cause).toBe(handler);
    const { cause, message } = new OutcomeUnknownError([handler, recovery]);
    expect(cause).toBeInstanceOf(AggregateError);
    expect(cause).toHaveProperty("errors", [handler, recovery]);
    expect(message).not.toContain("lost answer");
  });

  it("keeps a cause that is undefined, as from `throw undefined`", () => {
    expect("cause" in new OutcomeUnknownError([undefined])).toBe(true);
  });
});

describe("an error about a key", () => {
  it("says that another tool or another intent has it, and nothing more", () => {
    expect(new IdempotencyConflictError("tool").message).toContain("already used by another tool.");
    const error = new IdempotencyConflictError("fingerprint");
    expect(error.message).toContain("already used for a different intent.");
    expect(error.message).toContain("Use a new key only for a new intent");
    expect(error.reason).toBe("fingerprint");
  });

  it("tells a caller that gave up waiting to come back with the same key", () => {
    const error = new OperationInProgressError(120_000);
    expect(error.message).toContain("still running after 120000 ms.");
    expect(error.message).toContain("Retry later with the same key, not with a new one.");
    expect(error.waitTimeoutMs).toBe(120_000);
  });

  it("hands on the answer that another owner stored, `undefined` included, but not in its message", () => {
    const error = new ClaimLostError({ value: "secret" });
    expect(error.completed).toEqual({ value: "secret" });
    expect(error.message).not.toContain("secret");
    expect(error.message).toContain("Call again with the same key");
    expect(new ClaimLostError({ value: undefined }).completed).toBeDefined();
    expect(new ClaimLostError().completed).toBeUndefined();
  });

  it("tells recovery that an earlier owner left", () => {
    expect(new InterruptedOperationError().message).toContain("ended without an outcome");
  });
});

describe("a fault of the surroundings", () => {
  it("names the place in the output and what was found there", () => {
    const error = new OutputError("/rows/0/render", "a function");
    expect(error.message).toContain(
      "The output at /rows/0/render is a function, which is not JSON",
    );
    expect(error.message).toContain("its effect may have happened");
    expect(error.path).toBe("/rows/0/render");
    expect(new OutputError("", "a symbol").message).toMatch(/^The output is a symbol, /);
  });

  it("says what happened to coordination, what to do next, and keeps the cause", () => {
    const cause = new DOMException("blocked", "SecurityError");
    const error = new CoordinationUnavailableError({
      what: "The worker's script could not be loaded",
      next: "Serve dist/worker.js from the page's own origin.",
      cause,
    });
    expect(error.message).toBe(
      "The worker's script could not be loaded. Serve dist/worker.js from the page's own origin.",
    );
    expect(error.cause).toBe(cause);
  });
});
