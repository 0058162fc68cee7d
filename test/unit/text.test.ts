import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
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
  ValidationError,
  VerificationError,
} from "../../src/errors.js";
import { bounded, listed, sentence } from "../../src/text.js";
import { ToolError } from "../../src/tool-error.js";

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

describe("the message of every error", () => {
  it("is bounded and clean whatever the application put into it", () => {
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
});

describe("the message of a ValidationError", () => {
  it("stays within 300 characters and free of values", () => {
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
});

const failure = { code: "slot_stale", message: "The slot is gone." };

/** What plain JavaScript can do to the constructor. */
const construct = (options: unknown): ToolError => Reflect.construct(ToolError, [options]);

describe("the message of a ToolError whose repair is", () => {
  it("of realistic size is not shortened", () => {
    const instruction = "Read the account again and compare its balance."; // 47 characters
    const { message } = new ToolError({
      ...failure,
      repair: {
        steps: Array.from({ length: 5 }, () => ({
          action: "call_tool",
          tool: "list_payment_accounts",
          instruction,
        })),
        preserve: ["operationId", "amount", "receiverId", "currency"],
        update: ["authorizationId", "accountVersion"],
      },
    });
    expect(message).not.toContain("…");
    expect(message.split(instruction)).toHaveLength(6);
  });

  it("a little too long is shortened a little, in every step", () => {
    const steps = Array.from({ length: 5 }, () => ({
      action: "ask_user" as const,
      instruction: "w".repeat(170),
    }));
    const { message } = new ToolError({ ...failure, repair: { steps } });
    expect(message.length).toBeGreaterThan(850);
    expect(message.match(/w{100,}…/g)).toHaveLength(5);
  });

  it("too long for one message loses words, but no step, no list and no policy", () => {
    const long = "word ".repeat(1_000);
    const { message } = new ToolError({
      code: long,
      message: long,
      repair: {
        steps: Array.from({ length: 10_000 }, () => ({
          action: "retry_same_operation",
          tool: long,
          instruction: long,
        })),
        preserve: Array.from({ length: 1_000 }, () => long),
        update: Array.from({ length: 1_000 }, () => long),
      },
    });
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message).toContain("Retry: after_repair. ");
    expect(message).toContain("in order, not in parallel");
    for (const number of [1, 2, 3, 4, 5]) expect(message).toContain(` ${number}. retry the same`);
    expect(message).toContain("Then 9995 more steps. Keep unchanged: ");
    expect(message).toMatch(/Replace from the repair's result: .+ and 992 more\.$/);
  });
});

describe("the message of a ToolError from an untyped caller", () => {
  it("is bounded and clean", () => {
    const text = fc.string({ unit: "binary", maxLength: 400 });
    const loose = fc.oneof(text, fc.anything());
    const step = fc.record({ action: loose, tool: loose, instruction: loose });
    const lists = { preserve: fc.oneof(fc.array(loose), loose), update: fc.array(loose) };
    const repair = fc.oneof(
      fc.record({ action: loose, tool: loose, instruction: loose, ...lists }),
      fc.record({ steps: fc.oneof(fc.array(step), loose), ...lists }),
      fc.anything(),
    );
    const options = fc.record({
      code: text.map((value) => `c${value}`),
      message: text.map((value) => `m${value}`),
      retry: loose,
      retryable: loose,
      repair,
    });
    fc.assert(
      fc.property(options, (given) => {
        const { message, code, retry } = construct(given);
        expect(message.length).toBeLessThanOrEqual(1_000);
        expect(message).not.toMatch(/ {2}|[^\S ]|[\p{Cc}\p{Cf}\p{Surrogate}]/u);
        expect(message).toContain(` Retry: ${retry}. `);
        expect(code).toBe(given.code);
      }),
    );
  });

  it("can't make the constructor read a megabyte", () => {
    const megabyte = " \u200B".repeat(500_000);
    const replace = vi.spyOn(String.prototype, "replace");
    construct({
      code: `c${megabyte}`,
      message: `m${megabyte}`,
      repair: { action: "call_tool", tool: megabyte, instruction: "Choose a slot." },
    });
    const longest = Math.max(...replace.mock.contexts.map((text) => String(text).length));
    replace.mockRestore();
    expect(longest).toBeLessThan(10_000);
  });
});
