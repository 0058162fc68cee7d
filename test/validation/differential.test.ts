import fc from "fast-check";
import { expect, test } from "vitest";
import { compileWithAjv } from "../../src/validation/ajv.js";
import { interpret } from "../../src/validation/interpreted.js";
import { prepareSchema } from "../../src/validation/prepare.js";
import { SchemaFault } from "../../src/validation/schema-fault.js";
import type { InputCheck } from "../../src/validation/validator.js";
import { data, schema } from "./arbitraries.js";
import { precompiled } from "./precompiled.js";

const RUNS = Number(process.env.SIGNETT_RUNS ?? 400);

/** The check, or `undefined` for a schema that the validator refuses. */
function compiled(compile: (schema: object) => InputCheck, of: object): InputCheck | undefined {
  try {
    return compile(of);
  } catch (error) {
    if (error instanceof SchemaFault) return undefined;
    throw error;
  }
}

/** Ajv can't remember that a field of this name was evaluated. */
const isKnownToDiffer = (drawn: object, input: string) =>
  input.includes("__proto__") && JSON.stringify(drawn).includes("unevaluatedProperties");

test("whichever validator checks an input, an agent is told the same", () => {
  const seen = { accepted: 0, interpreted: 0, valid: 0, invalid: 0 };
  fc.assert(
    fc.property(schema, fc.array(data, { minLength: 3, maxLength: 6 }), (drawn, inputs) => {
      const byAjv = compiled(compileWithAjv, drawn);
      if (!byAjv) {
        expect(() => prepareSchema(drawn)).toThrow(SchemaFault);
        return;
      }
      seen.accepted += 1;
      const byCode = precompiled(drawn);
      // The interpreter refuses a few more: docs/validation.md lists them.
      const byWalking = compiled(interpret, drawn);
      if (byWalking) seen.interpreted += 1;
      for (const input of inputs) {
        const before = JSON.stringify(input);
        if (isKnownToDiffer(drawn, before)) continue;
        const issues = byAjv(input);
        seen[issues.length === 0 ? "valid" : "invalid"] += 1;
        expect(byCode(input)).toEqual(issues);
        if (byWalking) expect(byWalking(input)).toEqual(issues);
        expect(JSON.stringify(input)).toBe(before);
      }
    }),
    { numRuns: RUNS },
  );
  // Or nothing was compared.
  expect(seen.interpreted / RUNS).toBeGreaterThan(0.4);
  expect(seen.valid / RUNS).toBeGreaterThan(0.5);
  expect(seen.invalid / RUNS).toBeGreaterThan(0.5);
}, 120_000);
