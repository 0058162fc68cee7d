import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBoundedPattern } from "../../../src/readiness/pattern.js";

describe("a pattern bounds a text", () => {
  it.each([
    "^$",
    "^A-[0-9]{4,6}$",
    "^a?b{3}c{0,9}$",
    "^a{2,5}?$",
    "^(?:red|green)$",
    "^(a|b(c|d){2}){1,3}$",
    "^red$|^green$",
    "^[*+{}$|()\\]]{1,3}$",
    "^\\*\\+\\{2,\\}$",
    "^\\p{L}{1,40}$",
    "^(?<year>\\d{4})-\\d{2}$",
    "^(?=.*\\d)(?!.*\\s)[^<>]{8,64}$",
    "^(?=(?:a|b*)+$).{3}$",
    "^.{1,9}(?<!-+)$",
    "^\\u{61}$",
  ])("%s", (pattern) => {
    expect(isBoundedPattern(pattern)).toBe(true);
  });
});

describe("a pattern does not bound a text", () => {
  it.each([
    "",
    "a",
    "^a",
    "a$",
    "^a\\$",
    "\\^a$",
    "^[a$]",
    "[^a]$",
    "^a*$",
    "^a+$",
    "^a+?$",
    "^a{2,}$",
    "^(?:a{1,3})*$",
    "^(?:ab*){1,3}$",
    "^a|b$",
    "^a$|b",
    "^a$|",
    "|^a$",
    "^a$||^b$",
    "(^a$)",
    "(?:^a|b)$",
    "^(a|b$)",
    "^(?=a{1,3}$)a+$",
    "^(?=(a*))\\1$",
    "^(?=(?<all>a*))\\k<all>$",
    "^(?=[)]).*$",
    "^a($",
    "^[a$",
    "^{2}$",
    "^\\",
  ])("%j", (pattern) => {
    expect(isBoundedPattern(pattern)).toBe(false);
  });

  it("whose long texts match", () => {
    const piece = fc.constantFrom(
      ..."ab^$|()[]*+?\\.",
      "(?:",
      "{2}",
      "{1,}",
      "{0,3}",
      "[ab]",
      "^a$",
      ".*",
    );
    const pattern = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
    const anchored = pattern.map((inner) => `^${inner}$`);
    const long = fc.constantFrom(
      "a".repeat(300),
      "ab".repeat(150),
      "b".repeat(300),
      "$".repeat(300),
    );
    fc.assert(
      fc.property(fc.oneof(pattern, anchored), long, (text, value) => {
        if (isBoundedPattern(text)) expect(new RegExp(text, "u").test(value)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });
});
