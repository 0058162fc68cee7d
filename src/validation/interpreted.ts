import { dereference, type Schema, validate } from "@cfworker/json-schema";
import { interpretedFaults } from "./interpreted-faults.js";
import { issuesOf } from "./issues.js";
import { firstFaults } from "./many-faults.js";
import { type PreparedSchema, prepareSchema } from "./prepare.js";
import { checkUnevaluated } from "./unevaluated.js";
import type { InputCheck } from "./validator.js";

/** Makes a check that walks the schema for each input, and generates no code. */
export function interpret(schema: object): InputCheck {
  const prepared = prepareSchema(schema);
  checkUnevaluated(prepared);
  return interpretPrepared(prepared);
}

/** The check of a schema that was prepared. `known` are the documents that it may refer to, by URI. */
export function interpretPrepared(
  schema: PreparedSchema,
  known: Record<string, Schema | boolean> = {},
): InputCheck {
  const lookup = dereference(schema, known);
  const faults = interpretedFaults(schema);
  const find = (input: unknown) => faults(validate(input, schema, "2020-12", lookup, false).errors);
  return (input) => {
    try {
      return issuesOf(find(input));
    } catch (error) {
      // The interpreter passes its findings on as arguments, of which there can be only so many.
      if (error instanceof RangeError) return issuesOf(firstFaults(input, find));
      throw error;
    }
  };
}
