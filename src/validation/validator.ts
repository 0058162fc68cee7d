import type { ValidationIssue } from "../errors.js";

/** Checks one tool's input. An empty list means that it is valid. The input is never changed. */
export type InputCheck = (input: unknown) => readonly ValidationIssue[];

/** Makes checks of schemas: see `signett/validation`. */
export interface SchemaValidator {
  /**
   * Compiles a tool's `inputSchema`, JSON Schema draft 2020-12. Nothing of it may outlive the check.
   * @throws {Error} whose message says what is wrong with the schema, and where. An `EvalError` says that the page's policy
   * forbids the validator to generate code.
   */
  compile(schema: object): InputCheck | Promise<InputCheck>;
}
