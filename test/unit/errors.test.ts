import fc from "fast-check";
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
import { bounded, listed, sentence } from "../../src/text.js";

/** Text of every kind: any code unit (lone surrogates too), invisible characters, white space. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 }).map((units) => {
    return String.fromCharCode(...units);
  }),
  fc.string({
    unit: fc.constantFrom(
      "a",
      " ",
      "\n",
      "\t",
      "\u00A0",
      "\u202E",
      "\u200B",
      "\uFEFF",
      "\uD83D",
      "😀",
    ),
    maxLength: 600,
  }),
);

const clean = (text: string) =>
  text.trim() === text &&
  !/ {2}|[^\S ]|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Surrogate}]/u.test(text);

describe("text in a message", () => {
  it("is short, on one line, visible and well-formed whatever it was", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 300 }), (text, max) => {
        const result = bounded(text, max);
        expect(result.length).toBeLessThanOrEqual(max);
        expect(clean(result)).toBe(true);
        expect(bounded(result, max)).toBe(result);
      }),
    );
  });

  it("keeps plain text as it is and marks what it cut", () => {
    expect(bounded("Ångström – naïve 日本語 😀", 100)).toBe("Ångström – naïve 日本語 😀");
    expect(bounded("abcdef", 6)).toBe("abcdef");
    expect(bounded("abcdefg", 6)).toBe("abcde…");
    expect(bounded("abcd efg", 6)).toBe("abcd…");
  });

  it("turns any white space into one space", () => {
    expect(bounded("  a\r\n\tb\u00A0\u00A0c\u2028d\u0085e\u3000", 100)).toBe("a b c d e");
  });

  it("removes what a person can't see and an agent would read", () => {
    const tags = "\u{E0069}\u{E0067}\u{E006E}\u{E006F}\u{E0072}\u{E0065}";
    expect(bounded(`pay\u202E\u200B\u2066${tags} 5\u0000\u001B`, 100)).toBe("pay 5");
    expect(bounded("a \u200B b \uFEFF", 100)).toBe("a b");
  });

  it("never cuts a character in two and replaces halves that it was given", () => {
    expect(bounded("😀😀😀", 4)).toBe("😀…");
    expect(bounded("a\uD83Db\uDE00", 100)).toBe("a\uFFFDb\uFFFD");
    expect(bounded("\uD83D", 1)).toBe("\uFFFD");
  });

  it("looks only at the beginning of a long text", () => {
    expect(bounded(`${" ".repeat(1_000)}late`, 10)).toBe("…");
    expect(bounded(`early${" ".repeat(1_000)}late`, 10)).toBe("early…");
  });

  it("ends like a sentence exactly once", () => {
    expect(sentence("Closed", 20)).toBe("Closed.");
    expect(sentence("Closed!", 20)).toBe("Closed!");
    expect(sentence("よし。", 20)).toBe("よし。");
    expect(sentence(" \n ", 20)).toBe("");
  });

  it("lists the names that fit and counts the rest", () => {
    expect(listed(["a", "b", "c"], 100)).toBe("a, b, c");
    expect(listed(["a", "b", "c"], 100, 2)).toBe("a, b and 1 more");
    expect(listed(["aaaa", "bbbb", "cccc"], 16)).toBe("aaaa, bbbb, cccc");
    expect(listed(["aaaa", "bbbb", "cccc"], 15)).toBe("aaaa and 2 more");
    expect(listed(["a".repeat(30), "b"], 16)).toBe("aaaa… and 1 more");
  });
});

/** One error of each class, its texts from the application being `text`. */
const errorsSaying = (text: string) => [
  new ValidationError([{ path: text, keyword: text, message: text }], text),
  new AuthorizationError(text),
  new ConfirmationError(text),
  new VerificationError(text),
  new OutcomeUnknownError([new Error(text)], text),
  new InterruptedOperationError(),
  new OutputError(text, text),
  new IdempotencyConflictError("tool"),
  new IdempotencyConflictError("fingerprint"),
  new OperationInProgressError(120_000),
  new ClaimLostError({ value: text }),
  new CoordinationUnavailableError({
    what: text,
    next: "Reload the page.",
    cause: new Error(text),
  }),
];

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

  it("has a bounded, clean message whatever the application put into it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { message } of errorsSaying(text)) {
          expect(message.length).toBeLessThanOrEqual(1_000);
          expect(message).not.toBe("");
          expect(clean(message)).toBe(true);
        }
      }),
    );
  });

  it("quotes at most 200 characters of the application's own words", () => {
    for (const { message } of errorsSaying("@".repeat(1_000_000))) {
      for (const run of message.match(/@+/g) ?? []) expect(run.length).toBeLessThanOrEqual(400);
    }
    expect(new AuthorizationError("@".repeat(1_000)).message).toContain(`${"@".repeat(199)}…`);
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

  it("keeps its message within 300 characters and free of values", () => {
    const issue = fc.record({
      path: anyText,
      keyword: fc.oneof(fc.constant("required"), anyText),
      message: fc.constant("must not be 4111-1111"),
    });
    fc.assert(
      fc.property(fc.array(issue, { maxLength: 30 }), anyText, (issues, toolName) => {
        const { message } = new ValidationError(issues, toolName);
        expect(message.length).toBeLessThanOrEqual(300);
        expect(message).toMatch(/Correct the input and call again\.$/);
        expect(message).not.toContain("4111");
      }),
    );
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
