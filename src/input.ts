import type { ValidationIssue } from "./errors.js";

/** Validators and copies recurse, so deeper inputs are not looked at. */
const MAX_DEPTH = 128;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What is wrong with an input before it is copied or validated: it is nested too deep, or has a name that is no Unicode text.
 * Level by level and without recursion, whatever the input is.
 */
export function inputFault(input: unknown): ValidationIssue | undefined {
  let level: ReadonlySet<object> = new Set(objectsIn([input]));
  for (let depth = 1; level.size > 0; depth++) {
    if (depth > MAX_DEPTH) {
      return issue("depth", `must not be nested deeper than ${MAX_DEPTH} levels`);
    }
    const next = new Set<object>();
    for (const value of level) {
      if (!Array.isArray(value) && Object.keys(value).some((name) => LONE_SURROGATE.test(name))) {
        return issue("type", "must have names of Unicode text");
      }
      for (const below of objectsIn(Object.values(value))) next.add(below);
    }
    level = next;
  }
  return undefined;
}

const objectsIn = (values: readonly unknown[]): object[] =>
  values.filter((value) => typeof value === "object" && value !== null) as object[];

const issue = (keyword: string, message: string): ValidationIssue => ({
  path: "",
  keyword,
  message,
});
