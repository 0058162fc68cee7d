import { shared } from "../shared.js";
import { compileWithAjv } from "./ajv.js";
import type { InputCheck } from "./validator.js";

const ADVICE =
  "Signett: this page's policy forbids compiling schemas, so they are interpreted. To choose that, and have no violation reported, " +
  'pass `createSignett({ validator: interpretedValidator })` from "signett/validation", or precompile them.';

/** Compiles where the application chose nothing: with Ajv, or with the interpreter where the page forbids code from text. */
export async function compileByDefault(schema: object): Promise<InputCheck> {
  if (!shared().forbidsCode) {
    try {
      return compileWithAjv(schema);
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      // Each further attempt would be a further violation report.
      shared().forbidsCode = true;
      console.warn(ADVICE);
    }
  }
  const { interpret } = await import("./interpreted.js");
  return interpret(schema);
}
